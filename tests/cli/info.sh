#!/bin/sh
# tests/cli/info.sh: what a file holds.
. "$top_srcdir/tests/cli/common.sh"
make_samples

run info good.pgn
is "$code $(cat out)" "0 good.pgn: pgn, utf-8, chinese
    1  Lu - Shen  1-0  6 plies" "a game"
run info two.pgn
is "$code $(sed -n 2p out)" "0     1  Wei - Lu  0-1  4 plies, sound up to ply 2" \
    "a broken game is no error"
is "$(tail -n 1 out)" "       2 games, 10 plies" "the sum of a file"
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
