#!/bin/sh
# bench/counts.sh [--update]: instructions of qipu and its library for small inputs made from a
# seed, held against tests/bench/counts.tsv; `make bench-check`. Fails where one takes over a
# tenth more. What other libraries do is not counted, since it hangs on their version and on
# the machine; and since the count hangs on the compiler, with another one than that of the
# file nothing is compared. --update writes the file anew. COMPILER says what compiled.
set -u
top=${top_builddir:-.}
here=$(cd "$(dirname "$0")" && pwd)
qipu=${QIPU:-$top/tools/qipu}
gen=$top/tests/gen/qipu-gen
known=$here/counts.tsv
compiler=$(printf '# %s' "${COMPILER:-unknown}" | sed 's/ -g[^ ]*//g; s/ -W[^ ]*//g')
LC_ALL=C
export LC_ALL
case ${QP_CFLAGS:-} in
*-fsanitize*) echo "bench-check: skipped, a build with sanitizers"; exit 0 ;;
esac
command -v valgrind >/dev/null 2>&1 || { echo "bench-check: skipped, no valgrind"; exit 0; }
if [ "${1:-}" != --update ] && [ "$compiler" != "$(sed -n 2p "$known")" ]; then
    echo "bench-check: skipped, this is $compiler"
    echo "bench-check: and counts.tsv is  $(sed -n 2p "$known")"
    exit 0
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/qipu-bench.XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
. "$here/inputs.sh"

"$gen" --games 100 >"$tmp/utf8.pgn"
"$gen" --games 100 --encoding GB18030 >"$tmp/gb.pgn"
"$gen" --games 100 --notation chinese-traditional --encoding BIG5 >"$tmp/big5.pgn"
"$gen" --games 30 --variations 5 --comments 20 --nags 5 >"$tmp/notes.pgn"
"$gen" --games 1 --nodes 10000 >"$tmp/tree.pgn"
"$gen" --games 1 --plies 6 >"$tmp/one.pgn"
"$gen" --games 100 --plies 60 --returns 100 >"$tmp/returns.pgn"
cat "$tmp/gb.pgn" "$tmp/gb.pgn" "$tmp/gb.pgn" "$tmp/gb.pgn" "$tmp/gb.pgn" >"$tmp/jobs.pgn"
convert -t pgn -n iccs -o "$tmp/iccs.pgn" "$tmp/utf8.pgn"
convert -t pgn -n wxf -o "$tmp/wxf.pgn" "$tmp/utf8.pgn"
for format in dhtmlxq xml json iccs uci txt wxf cbl; do
    convert -t $format -o "$tmp/games.$format" "$tmp/utf8.pgn"
done
for format in xqf cbr; do
    convert -t $format -o "$tmp/tree.$format" "$tmp/tree.pgn"
    folder files-$format $format "$tmp/utf8.pgn"
done
sed 's/马/焉/' "$tmp/one.pgn" >"$tmp/card.pgn"

# count NAME COMMAND…
count() {
    name=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file="$tmp/callgrind" "$qipu" "$@" \
        >"$tmp/out" 2>/dev/null
    own=$(awk -f "$here/stages.awk" "$tmp/callgrind" | sed -n 's/^own //p')
    printf '%s\t%s\n' "$name" "${own:-0}"
}

{
    count one-game check "$tmp/one.pgn"
    for name in utf8 gb big5 iccs wxf notes tree returns; do
        count check-$name.pgn check "$tmp/$name.pgn"
    done
    count check-jobs check -j 2 "$tmp/jobs.pgn" # a second reading of parts would show
    for format in dhtmlxq xml json iccs uci txt wxf cbl; do
        count check-$format check "$tmp/games.$format"
    done
    for format in xqf cbr; do
        count check-$format check "$tmp/tree.$format"
        count check-files-$format check -r "$tmp/files-$format"
    done
    count info info "$tmp/utf8.pgn"
    count lint lint "$tmp/card.pgn"
    for format in pgn json xml dhtmlxq iccs; do
        count convert-$format convert -q -t $format "$tmp/utf8.pgn"
    done
} >"$tmp/now"

if [ "${1:-}" = --update ]; then
    {
        echo "# Instructions, by tests/bench/counts.sh --update, compiled by"
        echo "$compiler"
        cat "$tmp/now"
    } >"$tmp/new" && cp "$tmp/new" "$known"
    exit
fi
awk -F '\t' 'FNR == NR { if (!/^#/) before[$1] = $2; next }
    {
        times = before[$1] > 0 ? $2 / before[$1] : 0
        word = times == 0 ? "new" : times > 1.1 ? "MORE" : times < 0.9 ? "less" : "as before"
        bad += times > 1.1
        better += times < 0.9 && times > 0
        printf "%-20s %12d %12d  %.3f  %s\n", $1, before[$1], $2, times, word
    }
    END {
        if (better) print "bench-check: counts.tsv can be lowered: make bench-counts"
        if (bad) print "bench-check: " bad " of them take over a tenth more"
        exit bad > 0
    }' "$known" "$tmp/now"
