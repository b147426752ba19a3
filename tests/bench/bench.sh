#!/bin/sh
# bench/bench.sh: how fast and how big qipu is, as a table parted by tabs; `make bench` runs
# it. A row is a whole process, the median of RUNS (7), start to end, output into a file:
#
#   case, MB read, games, plies, seconds, MB/s, plies/s, processor seconds, the same of iconv
#   recoding the same bytes, how many times that, most memory in KiB, exit code, cksum of what
#   convert or info wrote, or check --json says of the file
#
# Seconds are by the clock; processor seconds suffer less where a machine has other work. The
# checksum shows a faster run that did less. The input is the archive of games under
# $QIPU_SHARED where that is set, else invented games, the same ones everywhere. QIPU names
# another program to measure, BENCH_LENGTH how many times over the long file holds the
# archive (40).
set -eu
top=${top_builddir:-.}
qipu=${QIPU:-$top/tools/qipu}
gen=$top/tests/gen/qipu-gen
timerun=$top/tests/bench/timerun
runs=${RUNS:-7}
length=${BENCH_LENGTH:-40}
LC_ALL=C
export LC_ALL

tmp=$(mktemp -d "${TMPDIR:-/tmp}/qipu-bench.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

archive=
if [ -n "${QIPU_SHARED:-}" ] && [ -d "$QIPU_SHARED/corpora/text/pgn/archive" ]; then
    for file in "$QIPU_SHARED"/corpora/text/pgn/archive/*.pgn*; do
        archive=$file
    done
fi
if [ -n "$archive" ]; then
    echo "# input: $(basename "$archive")"
    cat "$archive" >"$tmp/big5.pgn"
    iconv -f BIG5-HKSCS -t UTF-8 "$tmp/big5.pgn" >"$tmp/utf8.pgn"
    iconv -f UTF-8 -t GB18030 "$tmp/utf8.pgn" >"$tmp/gb.pgn"
else
    echo "# input: qipu-gen --games 1000 --repeat 6000"
    "$gen" --games 1000 --repeat 6000 --notation chinese-traditional --encoding BIG5 \
        >"$tmp/big5.pgn"
    "$gen" --games 1000 --repeat 6000 >"$tmp/utf8.pgn"
    iconv -f UTF-8 -t GB18030 "$tmp/utf8.pgn" >"$tmp/gb.pgn"
fi
echo "# machine: $(uname -sm), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null |
    head -n 1)"
echo "# program: $("$qipu" --version | head -n 1), median of $runs runs"
"$gen" --games 300 --variations 5 --comments 20 --nags 5 >"$tmp/tree.pgn"
# Losses and odd tags of the input are no matter here.
make_input() {
    "$qipu" convert -q "$@" "$tmp/utf8.pgn" 2>/dev/null || :
}
make_input -t pgn -n iccs -o "$tmp/iccs.pgn"
make_input -t pgn -n wxf -o "$tmp/wxf.pgn"
for format in dhtmlxq xml json iccs txt; do
    make_input -t $format -o "$tmp/games.$format"
done
i=0
while [ $i -lt "$length" ]; do
    cat "$tmp/utf8.pgn"
    i=$((i + 1))
done >"$tmp/long.pgn"

# counts FILE: games, plies and a checksum of all that check finds. Findings name the file,
# which lies in a folder of another name each time.
counts() {
    "$qipu" check --json "$1" 2>/dev/null | sed "s|$tmp/||" >"$tmp/findings"
    sed -n 's/^{"type":"summary","games":\([0-9]*\),"plies":\([0-9]*\).*/\1 \2/p' \
        "$tmp/findings"
    cksum <"$tmp/findings" | cut -d ' ' -f 1
}

# row NAME RUNS FILE ENCODING COMMAND [OPTION...]: measures `qipu COMMAND OPTION... FILE`.
row() {
    name=$1 times=$2 file=$3 encoding=$4
    shift 4
    bytes=$(wc -c <"$file")
    set -- "$@" "$file"
    cost=$("$timerun" "$times" "$tmp/out" "$qipu" "$@" 2>"$tmp/err") || {
        echo "# $name: failed"
        sed 's/^/# /' "$tmp/err" | head -n 3
        return 0
    }
    sum=$(cksum <"$tmp/out" | cut -d ' ' -f 1)
    plain=$("$timerun" "$times" "$tmp/out" iconv -f "$encoding" -t UTF-8 "$file")
    case $file in
    *long.pgn) count="$((games * length)) $((plies * length)) $sum" ;;
    *) count=$(counts "$file") ;;
    esac
    # What a check found is its work, even where its words are few.
    command=$1
    set -- $count
    [ "$command" != check ] || sum=$3
    count="$1 $2"
    echo "$name $bytes $count $cost $sum $plain" | awk '{
        cpu = $6 + $7; plain = $12 + $13
        printf "%s\t%.2f\t%d\t%d\t%.3f\t%.1f\t%.0f\t%.3f\t%.3f\t%.1f\t%d\t%d\t%s\n",
            $1, $2 / 1e6, $3, $4, $5, $2 / 1e6 / $5, $4 / $5, cpu, plain,
            (plain > 0 ? cpu / plain : 0), $8, $9, $10
    }'
}

printf 'case\tMB\tgames\tplies\tseconds\tMB/s\tplies/s\tcpu\ticonv\ttimes\tKiB\texit\tcksum\n'
games=0 plies=0
set -- $(counts "$tmp/utf8.pgn")
games=${1:-0} plies=${2:-0}
row check-big5 "$runs" "$tmp/big5.pgn" BIG5-HKSCS check
row check-gb18030 "$runs" "$tmp/gb.pgn" GB18030 check
row check-utf8 "$runs" "$tmp/utf8.pgn" UTF-8 check
row check-utf8-json "$runs" "$tmp/utf8.pgn" UTF-8 check --json
row check-wxf "$runs" "$tmp/wxf.pgn" UTF-8 check
row check-iccs-pgn "$runs" "$tmp/iccs.pgn" UTF-8 check
row check-tree "$runs" "$tmp/tree.pgn" UTF-8 check
row check-dhtmlxq "$runs" "$tmp/games.dhtmlxq" UTF-8 check
row check-xml "$runs" "$tmp/games.xml" UTF-8 check
row check-json "$runs" "$tmp/games.json" UTF-8 check
row check-iccs "$runs" "$tmp/games.iccs" UTF-8 check
row check-txt "$runs" "$tmp/games.txt" UTF-8 check
row info-big5 "$runs" "$tmp/big5.pgn" BIG5-HKSCS info
row convert-iccs "$runs" "$tmp/big5.pgn" BIG5-HKSCS convert -q -t iccs
row convert-dhtmlxq "$runs" "$tmp/big5.pgn" BIG5-HKSCS convert -q -t dhtmlxq
row convert-xml "$runs" "$tmp/big5.pgn" BIG5-HKSCS convert -q -t xml
row convert-json "$runs" "$tmp/big5.pgn" BIG5-HKSCS convert -q -t json
row convert-pgn "$runs" "$tmp/big5.pgn" BIG5-HKSCS convert -q -t pgn
row convert-pgn-wxf "$runs" "$tmp/big5.pgn" BIG5-HKSCS convert -q -t pgn -n wxf
row check-long 1 "$tmp/long.pgn" UTF-8 check
row check-long-j0 1 "$tmp/long.pgn" UTF-8 check -j 0
row convert-long 1 "$tmp/long.pgn" UTF-8 convert -q -t json
