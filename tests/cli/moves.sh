#!/bin/sh
# tests/cli/moves.sh: legal moves and their number. The numbers are well known.
. "$top_srcdir/tests/cli/common.sh"
start='rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'

run moves "$start"
is "$code $(lines out)" "0 44" "44 moves at the start"
is "$(head -n 3 out | tr '\n' ' ')" "a0a1 a0a2 a3a4 " "as squares, one a line"
is "$(sort out)" "$(cat out)" "in the order of their text"
cp out wanted
# shellcheck disable=SC2086
run moves $start
is "$(cat out)" "$(cat wanted)" "the fields may be arguments of their own"
printf '%s\n' "$start" | "$QIPU" moves >out
is "$(cat out)" "$(cat wanted)" "standard input"
run moves -n iccs "$start"
is "$(cat out)" "$(cat wanted)" "--notation iccs"
run moves --notation chinese,wxf,iccs "$start"
is "$(grep 'h2e2$' out)" "$(printf '炮二平五\tC2=5\th2e2')" "a column for each notation"
is "$(cut -f 3 out)" "$(cat wanted)" "in the order of the squares"
run moves --notation chinese,wfx "$start"
is "$code $(lines out)" "2 0" "an unknown notation"

n=0
for leaves in 1 44 1920 79666; do
    run moves --perft $n "$start"
    is "$code $(cat out)" "0 $leaves" "perft $n"
    n=$((n + 1))
done

run moves 'R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1'
is "$code $(cat out)" "0 " "mate: no move"
run moves '4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1'
exits 1 "kings that face each other"
has err "pos-facing" "are named"
for text in '' 'nonsense' '9/9/9 w'; do
    run moves "$text"
    is "$code $(lines out)" "2 0" "no position: '$text'"
done
run moves "$start moves"
exits 2 "text after the position"
run moves
is "$code $(cat out)" "2 " "no position at all"
done_testing
