#!/bin/sh
# tests/cli/check.sh: what check prints, as text and as JSON, and how it ends.
. "$top_srcdir/tests/cli/common.sh"
make_samples

run check good.pgn
is "$code $(cat out)" "0 " "a sound game: nothing to say"
is "$(cat err)" "1 game, 6 plies: 0 errors, 0 warnings" "the sum goes to standard error"
run check -q good.pgn
is "$code $(cat out err)" "0 " "-q leaves the sum out"

run check bad.pgn
exits 1 "an illegal move"
is "$(head -n 1 out | sed 's/error: .* \[/error: [/')" "bad.pgn:6:17: error: [move-blocked]" \
    "FILE:LINE:COLUMN: severity: message [code]; columns count characters"
is "$(sed -n 2,3p out)" "    6 | 1. 炮二平五 马8进7 2. 马二进四 车9平8
      |                       ^^^^^^^^" "the source line, a caret that counts cells"
run check -q bad.pgn
is "$code $(lines out) $(lines err)" "1 1 0" "-q leaves the first line"

run check good.pgn two.pgn empty.pgn
exits 1 "several files"
is "$(cat err)" "3 games, 14 plies: 2 errors, 0 warnings" "every file is read to its end"
has out "^two.pgn:6:17: error: " "findings name their file"
is "$(grep -c '^empty.pgn: error: .*no-game' out)" 1 "an empty file is said so once"

run check good.pgn nosuch.pgn bad.pgn
exits 2 "a missing file"
is "$(grep -c nosuch.pgn err)" 1 "one line names it"
has out "move-blocked" "the files after it are read"

run check --json good.pgn nosuch.pgn two.pgn
exits 2 "a missing file, with --json"
is "$(grep -c '"type":"game"' out)" 3 "a game object for every game"
is "$(tail -n 1 out)" '{"type":"summary","games":3,"plies":14,"errors":1,"warnings":0}' \
    "the summary comes last"
run check --json empty.pgn
is "$(tail -n 1 out)" '{"type":"summary","games":0,"plies":0,"errors":1,"warnings":0}' \
    "a summary without a game"

sed 's/"1-0"/"2026"/' good.pgn >warn.pgn
sed '/Result/d; /^1-0/d; s/Lantern Cup"\]/Lantern Cup]/' good.pgn >warn.pgn
run check -q warn.pgn
is "$code $(grep -c 'warning: .*tag-broken' out)" "0 1" "a warning does not count"
run check -q --werror warn.pgn
exits 1 "with --werror it does"

printf 'Minutes of the meeting: nobody played.\n' >prose.txt
run check prose.txt
is "$code $(grep -c no-game out)" "1 1" "prose is no game"

# Walks.
mkdir -p tree/b/c tree/.hidden
good_game >tree/b/c/1.pgn
bad_game >tree/a.pgn
good_game >tree/z.pgn
good_game >tree/.hidden/no.pgn
good_game >tree/.no.pgn
: >tree/b/empty.pgn
printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\000' >tree/picture.png
ln -s .. tree/b/loop
mkfifo tree/pipe
run check -r --json tree
exits 1 "a walk"
is "$(sed -n 's/^{"type":"game","file":"\([^"]*\)".*/\1/p' out | tr '\n' ' ')" \
    "tree/a.pgn tree/b/c/1.pgn tree/z.pgn " "in the order of the bytes of the names"
is "$(grep -c no-game out)" 1 "an empty file is reported"
lacks out picture "a picture is passed over"
lacks err . "without a word"
run check -r -v tree/
has err "picture.png.*passed over" "-v names it"
has out "^tree/a.pgn:" "a slash at the end is not doubled"
run check tree/picture.png
exits 1 "a picture that is named by the user is not passed over"

# Names that are no UTF-8, and some that are odd.
one=$(printf '\266\324\276\326.pgn') # GBK
other=$(printf '\266\324\276\327.pgn')
if good_game >"$one" 2>/dev/null && good_game >"$other" 2>/dev/null; then
    run check -q --json "$one" "$other"
    exits 0 "names in GBK"
    is "$(sed -n 's/.*"file":"\([^"]*\)".*/\1/p' out | sort -u | wc -l | tr -d ' ')" 2 \
        "distinct names stay distinct"
    if command -v python3 >/dev/null 2>&1; then
        python3 -c 'open("out", encoding="utf-8", errors="strict").read()' 2>/dev/null
        ok $? "and are valid UTF-8"
    fi
fi
# The board ends the game: a result that is missing is to be added behind the last move; moves
# behind the end put the end itself in doubt, but do not bear out another result.
fen='[FEN "3k5/9/9/9/9/9/9/9/9/R3K3R w"]'
printf '%s\n\n1. 车一进八\n' "$fen" >mated.pgn
run check --json mated.pgn
has out '"column":8,.*"code":"result-missing",.*"token":"",.*{"replace":"1-0","certainty":"certain"}' \
    "a missing result goes behind the last move"
printf '%s\n\n1. 车一进八 将4平5 *\n' "$fen" >after.pgn
run check -q after.pgn
has out "move-after-end" "a move behind the end"
lacks out "result-" "which then decides nothing"
printf '%s\n\n1. 车一进八 将4平5 0-1\n' "$fen" >after.pgn
run check -q after.pgn
has out "result-mismatch" "and excuses no other result"
odd=$(printf 'a"b\\c\033\n.pgn')
bad_game >"$odd"
run check -q --json "$odd"
has out '"file":"a\\"b\\\\c\\u001b\\n.pgn"' "a name is escaped in JSON"
run check -q "$odd"
is "$(lines out)" 1 "and does not break lines as text"
lacks out "$(printf '\033')" "nor reaches the terminal as a command"
printf '1. 炮二平五 \342\200\256马八八八 *\n' >turned.pgn
run check turned.pgn
has out "move-unreadable" "a move behind a control character is read"
lacks out "$(printf '\342\200\256')" "which does not reach the terminal either"

# A loop is drawn where somebody looks on, or asks for more; not into a pipe.
printf '3k5/R8/9/9/9/9/9/9/9/5K3 w\t' >loop.iccs
for _ in 1 2 3; do printf 'a8a9 d9d8 a9a8 d8d9 '; done >>loop.iccs
run check loop.iccs
is "$code $(lines out)" "0 5" "no table in a pipe"
run check -v --letters loop.iccs
is "$(sed -n '/^ply/,$p' out)" "ply  side   move  class  why
  1  red    a8a9  check  rook a9 on the king d9
  2  black  d9d8  idle
  3  red    a9a8  check  rook a8 on the king d8
  4  black  d8d9  idle
red: perpetual check, forbidden
black: idle moves, allowed
ruling: red loses (perpetual check); a ruling can be asked for; certain" "-v draws it"
has out '^9  \.  \.  \.  k' "with a board of letters"
run check -v --terms zh loop.iccs
has out '^ 1  红  a8a9  将    a9车将d9将$' "--terms zh"
has out '^裁决: 红方判负 (长将)' "to the ruling"
run check --terms fr loop.iccs
exits 2 "no other language"
run check -v --json loop.iccs
is "$(grep -vc '^{' out)" 0 "JSON stays JSON"
if command -v python3 >/dev/null 2>&1; then
    cat >look.py <<'END'
import os, pty, sys
pty.spawn([os.environ["QIPU"]] + sys.argv[1:], lambda fd: os.read(fd, 4096))
END
    python3 look.py check loop.iccs >out 2>&1 </dev/null
    has out '^ply  side   move  class  why' "a terminal shows it"
    python3 look.py check -q loop.iccs >out 2>&1 </dev/null
    lacks out '^ply' "but not with -q"
fi
done_testing
