#!/bin/sh
# tests/cli/show.sh: positions and games as boards.
. "$top_srcdir/tests/cli/common.sh"
start='rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
make_samples
{
    printf '[Red "Lu"]\n[Black "Shen"]\n\n1. 炮二平五 马8进7 (1... 卒7进1 2. 马二进三) '
    printf '2. 马二进三 车9平8 1-0\n'
} >tree.pgn
cat >many.iccs <<END
$start	h2e2 h9g7
$start	
$start	c3c4
END

# Positions on the command line.
run show "$start"
is "$code $(lines out) $(lines err)" "0 16 0" "a position: 14 lines, who is to move, FEN"
is "$(sed -n 2p out)" "9  車  馬  象  士  將  士  象  馬  車" "Black on top"
is "$(tail -n 2 out)" "$(printf 'red to move\n%s' "$start")" "the rest"
cp out wanted
# shellcheck disable=SC2086
run show $start
is "$code $(cat out)" "0 $(cat wanted)" "the fields may be arguments of their own"
run show -q "$start"
is "$(cat out)" "$(sed 15,16d wanted)" "-q: the board alone"
printf '%s\n' "$start" >start.fen
run show start.fen
is "$(sed '1,2d' out)" "$(cat wanted)" "the same from a file"
is "$(head -n 2 out)" "$(printf 'start.fen: game 1\nstart position')" "which is named"
"$QIPU" show <start.fen >out
is "$(sed 1d out)" "$(printf 'start position\n'; cat wanted)" "standard input"
run show "$start" '4k4/9/9/9/9/9/9/9/9/3K5 b'
is "$code $(lines out)" "0 33" "two positions, a line between"
run show "$start" h2e2 h9g7
is "$code $(head -n 1 out)" "0 ply 2, round 1, black: 马8进7 (h9g7)" "moves behind one"
run show 'R3k4/1R7/9/9/9/9/9/9/9/3K5 b'
has out '^black is checkmated$' "mate"
run show '3k5/9/9/9/9/9/9/9/1R7/R3K4 w'
has out '^red to move$' "no check"
run show '3k5/9/9/3R5/9/9/9/9/9/5K3 b'
has out '^black to move, in check$' "check"
run show '3k5/2P1P4/9/9/9/9/9/9/9/4K4 b'
has out '^black has no move and loses$' "stalemate"

# What is wrong with them.
run show '4k4/9/9/9/9/9/9/9/9/4K4 w'
exits 1 "kings that face each other"
has out '^fen:1:1: error: .*\[fen-invalid\]$' "are a finding"
has out '^9  ・  ・  ・  ・  將' "and are drawn"
run show --json '4k4/9/9/9/9/9/9/9/9/4K4 w'
is "$(cut -c 1-40 out | tr '\n' ' ')" \
    '{"type":"finding","file":"fen","game":1, {"type":"position","ply":0,"fen":"4k4/9/ ' \
    "as JSON too"
for text in 4k4/9/9/9/9/9 '4k4/9/9/9/9/9/9/9/9/z4K3 w' 4k4/9/9/9/9/9/9/9/9/4K4/9; do
    run show "$text"
    is "$code $(grep -c '\[fen-invalid\]' out) $(grep -c 將 out)" "1 1 0" "no board: $text"
done
run show --json '4k4/9/9/9/9/9/9/9/9/z4K3 w'
is "$code $(cat out)" '1 {"type":"finding","file":"fen","game":1,"line":1,"column":21,"byte":20,"ply":0,"code":"fen-invalid","detail":"fen-letter","severity":"error","token":"z","message":"a letter of the FEN names no piece","suggestions":[]}' "where the fault is"
while IFS='|' read -r fen note; do
    run show "$fen"
    is "$code $(sed -n 's/^      = note: //p' out)" "1 $note" "what is wrong with $fen"
done <<END
4k4/9/9/9/9/9/9/4A4/9/3K5 w|red's advisor on e2
4k4/9/4p4/9/9/9/9/9/9/4K4 w|black's pawn on e7
9/3k5/9/p8/9/9/9/4K4/9/4K4 w|red has 2 kings
9/9/9/9/9/9/9/9/9/3K5 w|black has no king
rrrrk4/9/9/9/9/9/9/p1ppppp2/9/5K3 b|black has 4 rooks, black has 6 pawns
4k4/9/9/9/4R4/9/9/9/9/3K5 w|red's rook on e5; red is to move
END
run show nothing.pgn
is "$code $(lines out)" "2 0" "neither file nor position"

# Games.
run show good.pgn
is "$(head -n 2 out)" \
    "$(printf 'good.pgn: game 1, Lu - Shen\nply 6, round 3, black: 卒7进1 (g6g5)')" "the last position"
has out '^6  卒  ・  卒  ・  卒  ・ (・) ・  卒$' "where the last move began"
has out '^5  ・  ・  ・  ・  ・  ・ \[卒\] ・  ・$' "and where it ended"
run show --ply 0 good.pgn
is "$code $(sed -n 2p out) $(grep -c '[][(]' out)" "0 start position 0" "--ply 0"
run show --ply 1 -n wxf --letters good.pgn
is "$(sed -n 2p out)" "ply 1, round 1, red: C2=5 (h2e2)" "-n"
is "$(sed -n 12p out)" "2  .  C  .  . [C] .  . (.) ." "--letters"
run show --ply 1 -n iccs good.pgn
is "$(sed -n 2p out)" "ply 1, round 1, red: h2e2" "a move is not told twice"
run show --ply 1 --letters --from-black good.pgn
is "$(sed -n 6p out)" "2  . (.) .  . [C] .  .  C  ." "--from-black"
run show --ply 2-4 good.pgn
is "$code $(grep -c '^ply [2-4],' out) $(grep -c '^ply' out) $(grep -c 'game 1' out)" "0 3 3 1" \
    "a range"
run show --ply 5- --json good.pgn
is "$(cat out)" '{"type":"position","file":"good.pgn","game":1,"ply":5,"round":3,"side":"red","move":"i0h0","text":"车一平二","fen":"rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 b - - 5 3","to_move":"black","check":false,"end":"none"}
{"type":"position","file":"good.pgn","game":1,"ply":6,"round":3,"side":"black","move":"g6g5","text":"卒7进1","fen":"rnbakabr1/9/1c4nc1/p1p1p3p/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 6 4","to_move":"red","check":false,"end":"none"}' "to the end, as JSON"
run show --every 4 --json good.pgn
is "$(sed 's/.*"ply":\([0-9]*\).*/\1/' out | tr '\n' ' ')" "0 4 6 " "--every, and the last"
run show --ply 1-5 --every 3 --json good.pgn
is "$(sed 's/.*"ply":\([0-9]*\).*/\1/' out | tr '\n' ' ')" "1 4 5 " "--every of a range"
run show --variation 1 --json tree.pgn
is "$(sed 's/.*\("variation":1,"ply":3,.*"move":"h0g2"\).*/\1/' out)" \
    '"variation":1,"ply":3,"round":2,"side":"red","move":"h0g2"' "--variation counts from the start"
run show --variation 2 tree.pgn
is "$code $(lines out)" "2 0" "a variation that is not there"
has err "game 1 has no variation 2" "is said"
run show --ply 7 good.pgn
is "$code $(cat err)" "2 qipu show: good.pgn: game 1 ends with ply 6" "a ply that is not there"
run show --ply 5-99 --json good.pgn
is "$code $(lines out)" "0 2" "a range may be too long"

run show bad.pgn
exits 1 "a game that breaks off"
has out '^bad.pgn:6:17: error: .*\[move-blocked\]$' "is a finding"
has out '^ply 2, ' "and shows its last sound position"
run show --ply 3 bad.pgn
exits 2 "no ply behind it"
has err "can be replayed only up to ply 2" "as is said"

run show --json many.iccs
is "$(sed 's/.*"game":\([0-9]*\),"ply":\([0-9]*\).*/\1:\2/' out | tr '\n' ' ')" "1:2 2:0 3:1 " \
    "every game"
run show --json --game 2- many.iccs
is "$(sed 's/.*"game":\([0-9]*\).*/\1/' out | tr '\n' ' ')" "2 3 " "--game"
run show --game 2 two.pgn
exits 0 "a fault of another game does not count"
run show --game 4 many.iccs
is "$code $(cat err)" "2 qipu show: many.iccs: no game 4" "a game that is not there"
for range in 3-2 x 1-x -1 1--2 ''; do
    run show --ply "$range" good.pgn
    is "$code $(grep -c 'wants n, n-m or n- from 0 on' err)" "2 1" "no range: '$range'"
done

run show --color always good.pgn
has out "$(printf '\033\\[1;31m')" "--color always"
run show good.pgn
lacks out "$(printf '\033')" "no color where nobody looks"
done_testing
