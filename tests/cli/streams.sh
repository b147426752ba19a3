#!/bin/sh
# tests/cli/streams.sh: standard streams that are pipes, closed, broken or full; signals.
. "$top_srcdir/tests/cli/common.sh"
make_samples

run check -q --json good.pgn
sed 's/"good.pgn"/"-"/' out >wanted
"$QIPU" check -q --json <good.pgn >out
is "$(cat out)" "$(cat wanted)" "standard input is the file -"
cat good.pgn | "$QIPU" check -q --json - >out
is "$(cat out)" "$(cat wanted)" "- and a pipe read the same"
code=0
"$QIPU" check -q good.pgn <&- || code=$?
exits 0 "a file is read although standard input is closed"

code=0
"$QIPU" check <&- 2>err >out || code=$?
exits 2 "closed standard input"
has err "standard input: " "closed standard input is named"
code=0
"$QIPU" check <. 2>err >out || code=$?
exits 2 "a folder as standard input"
"$QIPU" convert -t pgn <. >out 2>err
is "$?" 2 "a folder as standard input to convert"
"$QIPU" convert -t pgn -o new.pgn <. >out 2>err
is "$? $(ls new.pgn 2>&1 | grep -c 'No such')" "2 1" "and nothing is written"

code=0
"$QIPU" convert -t pgn -o closed.pgn bad.pgn 2>&- >&- || code=$?
exits 1 "closed standard error"
lacks closed.pgn "error" "a message does not end up in the output"

if [ -w /dev/full ]; then
    for arguments in "help" "formats" "check --json good.pgn" "check bad.pgn" "info good.pgn" \
        "convert -t pgn good.pgn" "convert -t json -o /dev/full good.pgn" \
        "moves rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"; do
        code=0
        # shellcheck disable=SC2086
        "$QIPU" $arguments >/dev/full 2>err || code=$?
        is "$code $(grep -c 'No space' err)" "2 1" "full disk: $arguments"
    done
    code=0
    "$QIPU" convert -t pgn bad.pgn 2>/dev/full >out || code=$?
    exits 1 "full standard error"
fi

# A record of 80 MB is cut at the limit and not kept: with what the rest takes, in memory for
# little more than what the limit allows, and the game behind it is read.
limited() {
    (ulimit -v 1000000 2>/dev/null; "$QIPU" info --json - 2>err) >out
}
goes_on() {
    is "$(grep -c '"game":2' out)" 1 "the game behind a record that is too long: $1"
}
flood() {
    yes "$1" | tr '\n' "$2" | head -c 80000000
}
case $(sed -n 's/^QP_LDFLAGS = //p' "$top_builddir/Makefile") in
*sanitize*) ;; # has the whole address space
*)
    { printf '[Event "x"]\n\n1. C2=5 {'; flood 'words' ' '; printf '\n\n'; good_game; } | limited
    goes_on "pgn, a line"
    { printf '[Event "x"]\n\n1. C2=5 {'; flood 'words' '\n'; printf '\n\n'; good_game; } | limited
    goes_on "pgn, a comment"
    { printf '{"line":[{"move":"h2e2","comment":"'; flood 'words' ' '
        printf '"}]}\n{"line":[{"move":"h2e2"}]}\n'; } | limited
    goes_on "json"
    ;;
esac

# A reader that goes away ends the writer without a word.
i=0
while [ $i -lt 300 ]; do
    cat bad.pgn
    echo
    i=$((i + 1))
done >many.pgn
for arguments in "check --json many.pgn" "check many.pgn" "info many.pgn" \
    "convert -q -t json many.pgn"; do
    # shellcheck disable=SC2086
    { "$QIPU" $arguments 2>err; echo $? >status; } | head -n 1 >out
    case $arguments in convert*) sed -i.bak '/move-blocked/d' err ;; esac
    is "$(cat err)" "" "a closed pipe is no news: $arguments"
    has status '^\(141\|[01]\)$' "and ends as pipes do: $arguments"
done

# Signals leave nothing half-written behind.
mkfifo pipe
mkdir kept
"$QIPU" convert -t pgn -o kept/out.pgn pipe 2>err &
pid=$!
exec 3>pipe
good_game >&3
tries=0
while [ -z "$(ls -A kept)" ] && [ $tries -lt 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
[ -n "$(ls -A kept)" ]
ok $? "the output is begun under another name"
kill -s TERM $pid
code=0
wait $pid || code=$?
exec 3>&-
is "$code $(ls -A kept)" "130 " "SIGTERM ends with 130 and leaves nothing"
if command -v python3 >/dev/null 2>&1; then
    # Shells start background jobs with SIGINT switched off, which is handed down: switch it on.
    python3 - "$QIPU" <<'END' >out 2>&1
import os, signal, subprocess, sys, time
os.mkdir("dir")
p = subprocess.Popen([sys.argv[1], "convert", "-t", "pgn", "-o", "dir/out.pgn"],
                     stdin=subprocess.PIPE,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
for _ in range(100):
    if os.listdir("dir"):
        break
    time.sleep(0.05)
p.send_signal(signal.SIGINT)
print(p.wait(20), os.listdir("dir"))
END
    is "$(cat out)" "130 []" "SIGINT ends with 130 and leaves nothing"
fi

# Color.
run check --color always bad.pgn
has out "$(printf '\033')" "--color always"
run check bad.pgn
lacks out "$(printf '\033')" "no color where standard output is no terminal"
NO_COLOR=1 "$QIPU" check --color auto bad.pgn >out 2>&1
lacks out "$(printf '\033')" "NO_COLOR"
done_testing
