# tests/cli/common.sh: what the tests of the command line share. Source it: it changes to an
# empty folder that goes away at the end.
. "$top_srcdir/tests/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR
TERM=dumb
export TERM

# run ARGUMENT…: calls qipu; what it says is left in the files out and err, its exit status in
# code. Standard input is empty.
run() {
    code=0
    "$QIPU" "$@" >out 2>err </dev/null || code=$?
}
# exits CODE NAME: how the last run ended.
exits() {
    is "$code" "$1" "$2"
}
# has FILE PATTERN NAME: a line of the file matches.
has() {
    grep -q -e "$2" "$1"
    ok $? "$3"
}
# lacks FILE PATTERN NAME: no line does.
lacks() {
    ! grep -q -e "$2" "$1"
    ok $? "$3"
}
lines() {
    wc -l <"$1" | tr -d ' '
}
# Sample records: a sound game, one with a fault at ply 3, and one of both.
good_game() {
    printf '[Event "Lantern Cup"]\n[Red "Lu"]\n[Black "Shen"]\n[Result "1-0"]\n\n'
    printf '1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 卒7进1\n1-0\n'
}
bad_game() {
    printf '[Event "Lantern Cup"]\n[Red "Wei"]\n[Black "Lu"]\n[Result "0-1"]\n\n'
    printf '1. 炮二平五 马8进7 2. 马二进四 车9平8\n0-1\n'
}
make_samples() {
    good_game >good.pgn
    bad_game >bad.pgn
    { bad_game; echo; good_game; } >two.pgn
    : >empty.pgn
}
