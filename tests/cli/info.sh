#!/bin/sh
# tests/cli/info.sh: what a file holds.
. "$top_srcdir/tests/cli/common.sh"
make_samples

run info good.pgn
is "$code $(cat out)" "0 good.pgn: pgn, utf-8, chinese
    1  Lu - Shen  1-0  6 plies" "a game"
run info two.pgn
is "$code $(sed -n 2p out)" "0     1  Wei - Lu  0-1  4 plies" "a broken game is no error"
is "$(tail -n 1 out)" "       2 games, 10 plies" "the sum of a file"
run info -v two.pgn
is "$code $(sed -n 2p out)" "0     1  Wei - Lu  0-1  4 plies, sound up to ply 2" \
    "how far it is sound"
# Plain games of which some cannot be played, as many as are never read as text.
i=0
while [ $i -lt 400 ]; do
    printf '[Game "%s"]\n[Red "甲"]\n[Result "1-0"]\n\n1. 炮二平五 马8进7\n2. 马二进三' $i
    [ $((i % 3)) -ne 1 ] || printf ' 马7进3'
    printf '\n1-0\n\n'
    i=$((i + 1))
done >many.pgn
run info -v many.pgn
is "$code $(tail -n 1 out) $(grep -c 'sound up to ply 3$' out)" "0        400 games, 1333 plies 133" \
    "many games that are played"
sed 's/, sound up to ply 3$//' out >played
run info many.pgn
exits 0 "many games that are counted"
is "$(cksum <out)" "$(cksum <played)" "the same is said of them"
run info -j 2 many.pgn
is "$(cksum <out)" "$(cksum <played)" "and by two threads"
run info empty.pgn
is "$code $(cat out) $(grep -c no-game err)" "1  1" "a file without a game"
run info nosuch.pgn good.pgn
is "$code $(lines out)" "2 2" "a missing file"
printf '[Red "A"]\n\n{hello}1. 炮二平五 (1. 炮八平五 {x} 马2进3) 马8进7 *\n' >rich.pgn
run info rich.pgn
has out "2 plies, 1 variation (4 moves in all), 2 comments$" "all that it has"
run info --json rich.pgn
is "$(cat out)" '{"type":"info","file":"rich.pgn","game":1,"format":"pgn","encoding":"utf-8","notation":"chinese","plies":2,"nodes":4,"variations":1,"comments":2,"result":"*","tags":{"Red":"A"}}' \
    "as JSON"
cp good.pgn record.dat
cp good.pgn record
cp good.pgn RECORD.PGN
printf '[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n' >game.txt
run info --json record.dat record RECORD.PGN game.txt
is "$(sed 's/.*"format":"\([a-z]*\)".*/\1/' out | tr '\n' ' ')" "pgn pgn pgn dhtmlxq " \
    "the content names the format"

run formats
exits 0 "formats"
for format in pgn txt json iccs uci fen dhtmlxq xml cbf pfc; do
    has out "^$format  " "formats lists $format"
done
for notation in chinese chinese-traditional wxf iccs uci uci1; do
    has out "^$notation  " "formats lists $notation"
done
done_testing
