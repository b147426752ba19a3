#!/bin/sh
# tests/cli/convert.sh: what convert says and leaves out.
. "$top_srcdir/tests/cli/common.sh"
make_samples
printf '[Game "Chinese Chess"]\n[Event "Rain Cup"]\n[Red "Lu"]\n[Black "Shen"]\n[Result "1/2-1/2"]\n\n{start}\n1. 炮二平五 {one} (1. 炮八平五 马2进3) 马8进7 $1 2. 马二进三 1/2-1/2\n' >rich.pgn
{ cat rich.pgn; echo; cat rich.pgn; } >rich2.pgn

run convert -t iccs good.pgn
is "$code $(cut -f 2 out)" "0 h2e2 h9g7 h0g2 i9h9 i0h0 g6g5" "the main line as squares"
is "$(cut -f 1 out)" "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1" \
    "behind the start position"
run convert -q -t iccs bad.pgn
is "$code $(cut -f 2 out)" "1 h2e2 h9g7" "a broken game gives its sound part"

# Loss.
run convert -t iccs rich2.pgn
exits 0 "a loss is a warning"
for kind in tags comments variations nags result; do
    run convert -q --json -t iccs rich2.pgn
    is "$(grep '"code":"loss"' err | grep -c "\"detail\":\"$kind\"")" 1 "loss of $kind: said once"
done
run convert --werror -q -t iccs rich.pgn
exits 1 "--werror"
run convert -q --no-variations -t pgn rich.pgn
lacks out "(1" "--no-variations leaves them out"
has err "\[loss\]" "and says so"

# Round trips.
run convert -q -t json rich.pgn
cp out one.json
run convert -q -t pgn one.json
cp out one.pgn
run convert -q -t json one.pgn
is "$(cat out)" "$(cat one.json)" "json, pgn, json"
run convert -q -t pgn one.pgn
is "$(cat out)" "$(cat one.pgn)" "what is written does not change on the next pass"
for part in 'Event "Rain Cup"' 'Red "Lu"' '{start}' '{one}' '[$]1' '炮八平五 马2进3'; do
    has one.pgn "$part" "kept: $part"
done

# Games with a fault.
run convert -q -t json two.pgn
is "$code $(lines out)" "1 2" "keep is the usual case"
has out '"text":"马二进四"' "what cannot be played is kept"
run convert -t iccs --on-error skip two.pgn
is "$code $(lines out)" "1 1" "--on-error skip"
has err "two.pgn: game 1 is left out" "says so"
{ cat good.pgn; echo; cat two.pgn; } >three.pgn
run convert -t iccs --on-error stop three.pgn good.pgn
is "$code $(lines out)" "1 1" "--on-error stop"
has err "three.pgn: stopped at game 2" "says so"
run convert --json -t iccs --on-error skip two.pgn
has err '"game":1,.*"skipped":true' "and in JSON"

run convert -q -t txt bad.pgn
is "$(tail -n 1 out)" "{马二进四 车9平8}" "txt keeps the rest as a comment"
cp out rest.txt
run convert -q -t pgn rest.txt
has out "马8进7 {马二进四 车9平8} 0-1" "which it reads back"

# What breaks off is kept once: a move beside the first one of a variation is a line of its
# own, and what stands inside a kept part is no part again.
printf '1. h2e2 (1. h0h9 (1. b0c2 b9c7) {so} h9g7) h9g7 *\n' >beside.pgn
run convert -q -t pgn beside.pgn
has out '^1. 炮二平五 {h0h9 ｛so｝ h9g7} (1. 马八进七 马2进3) 1... 马8进7 [*]$' \
    "the rest of a variation, without the one beside it"
printf '1. h2e2 h9g7 2. h0h9 (2. b0c2 (2. h0h8)) 2... b9c7 *\n' >inside.pgn
run convert -q -t json inside.pgn
is "$(grep -o '"rest":"[^"]*"' out)" '"rest":"h0h9 (2. b0c2 (2. h0h8)) 2... b9c7"' \
    "a rest inside another is said once"
printf '1. h2e2 %s%s%s *\n' "$(printf '(1. h0h9 %.0s' $(seq 300))" \
    "$(printf ' h9g7%.0s' $(seq 300))" "$(printf ')%.0s' $(seq 300))" >deep.pgn
run convert -q -t json deep.pgn
is "$(($(wc -c <out) < 40000))" 1 "broken variations inside one another cost what they are long"

# Notations and encodings.
run convert -q -t pgn -n wxf good.pgn
has out "C2=5" "-n wxf"
run convert -q -t pgn -n chinese-traditional good.pgn
has out "炮二平五" "-n chinese-traditional"
run convert -t iccs -n wxf good.pgn
is "$code $(grep -c 'no choice' err)" "0 1" "-n where there is no choice"
run convert -q -t pgn -E gbk good.pgn
if command -v iconv >/dev/null 2>&1; then
    is "$(iconv -f gbk -t utf-8 out)" "$("$QIPU" convert -q -t pgn good.pgn)" "-E gbk"
fi
cp out gbk.pgn
run convert -q -t iccs gbk.pgn
is "$code $(cut -f 2 out)" "0 h2e2 h9g7 h0g2 i9h9 i0h0 g6g5" "and back"
run convert -q -t iccs -e gbk gbk.pgn
is "$code $(cut -f 2 out)" "0 h2e2 h9g7 h0g2 i9h9 i0h0 g6g5" "and back with -e"
run convert -q -t pgn -E latin1 good.pgn
is "$code $(grep -c encoding-unmappable err | sed 's/[1-9][0-9]*/some/')" "1 some" \
    "what an encoding lacks is said"
printf '[Event "The \\"Lamp\\" Cup"]\n\n1. 炮二平五 *\n' >quotes.pgn
run convert -q -t pgn quotes.pgn
has out 'The \\"Lamp\\" Cup' "quotes are escaped"
run convert -q -t pgn --safe-quotes quotes.pgn
has out 'The “Lamp” Cup' "--safe-quotes"
run convert -q -t pgn --raw-quotes quotes.pgn
has out '"The "Lamp" Cup"' "--raw-quotes"
run convert -q -t json -f json good.pgn
exits 1 "-f names the format, right or wrong"
# More games than a writer keeps in memory, where the index stands before them.
i=0
while [ $i -lt 400 ]; do
    good_game
    [ $i -ne 300 ] || bad_game
    i=$((i + 1))
done >many.pgn
run convert -q -t cbl -o many.cbl many.pgn
run convert -q -t iccs many.cbl
"$QIPU" convert -q -t iccs many.pgn 2>/dev/null >wanted
is "$(lines out) $(cksum <out)" "401 $(cksum <wanted)" "a library of 401 games"
is "$(od -An -tu1 -j60 -N4 many.cbl | tr -s ' ') $(wc -c <many.cbl | tr -d ' ')" \
    " 0 2 0 0 $((66624 + 512 * 276 + 401 * 4096))" "its index and its size"
done_testing
