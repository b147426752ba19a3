#!/bin/sh
# bench/bench.sh: how fast and how big qipu is; `make bench` runs it. A row is a whole
# process, the median of RUNS (7) runs, start to end, output into a file; parted by tabs, or
# with TABLE=markdown as a table of Markdown:
#
#   case; MB read; games; plies, those of variations too; seconds by the clock; seconds of the
#   processor; MB and plies for each of these; the reference, its processor seconds, and how
#   many times these the row takes; most memory in KiB; exit code; a checksum of what convert
#   or info wrote, or check --json says of the input
#
# References are measured in the same run, over the same bytes: `iconv` recodes them to UTF-8,
# `cat` reads them, `xmllint --sax --noout` parses them, `grep -c` counts games by their first
# tag; conversions are measured against `qipu check`, the start of the program against
# `xmllint --version`. Rows `tree-…` are game trees of 1,000 and of 226,491 plies, as many as
# the largest known book has; their reference is what a ply of the small ones takes. A checksum
# shows a faster run that did less. Where valgrind is found, a second table tells the stages
# (stages.sh).
#
# Inputs are invented, the same ones everywhere (inputs.sh); the PGN archive and the samples of
# formats that qipu does not write are those under $QIPU_SHARED, where that is set. QIPU names
# another program to measure, BENCH_LENGTH how many times over the long file holds the archive
# (40), BENCH_ROWS a pattern of the rows wanted.
set -u
top=${top_builddir:-.}
here=$(cd "$(dirname "$0")" && pwd)
qipu=${QIPU:-$top/tools/qipu}
gen=$top/tests/gen/qipu-gen
timerun=$top/tests/bench/timerun
runs=${RUNS:-7}
length=${BENCH_LENGTH:-40}
wanted=${BENCH_ROWS:-.}
LC_ALL=C
export LC_ALL

tmp=$(mktemp -d "${TMPDIR:-/tmp}/qipu-bench.XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
. "$here/inputs.sh"

# ---- inputs ----

archive=
for file in "${QIPU_SHARED:-/nonexistent}"/corpora/text/pgn/archive/*.pgn*; do
    [ ! -f "$file" ] || archive=$file
done
if [ -n "$archive" ]; then
    input="$(basename "$archive")"
    cat "$archive" >"$tmp/big5.pgn"
    iconv -f BIG5-HKSCS -t UTF-8 "$tmp/big5.pgn" >"$tmp/utf8.pgn"
else
    input="qipu-gen --games 1000 --repeat 6000"
    "$gen" --games 1000 --repeat 6000 --notation chinese-traditional --encoding BIG5 \
        >"$tmp/big5.pgn"
    "$gen" --games 1000 --repeat 6000 >"$tmp/utf8.pgn"
fi
iconv -f UTF-8 -t GB18030 "$tmp/utf8.pgn" >"$tmp/gb.pgn"
convert -t pgn -n iccs -o "$tmp/iccs.pgn" "$tmp/utf8.pgn"
convert -t pgn -n wxf -o "$tmp/wxf.pgn" "$tmp/utf8.pgn"
for format in dhtmlxq xml json iccs uci fen txt wxf cbl; do
    convert -t $format -o "$tmp/games.$format" "$tmp/utf8.pgn"
done
"$gen" --games 1000 --format iccs >"$tmp/1000.iccs"
"$gen" --games 1000 >"$tmp/1000.pgn"
for format in xqf cbr cbf; do
    folder $format $format "$tmp/1000.pgn"
done
as_pfc "$tmp/1000.iccs" "$tmp/pfc"
as_treetext "$tmp/1000.iccs" "$tmp/treetext"
as_book "$tmp/1000.iccs" >"$tmp/games.book"
as_dpxq "$tmp/1000.pgn" >"$tmp/games.dpxq"
"$gen" --games 300 --variations 5 --comments 20 --nags 5 >"$tmp/notes.pgn"
"$gen" --games 1 --nodes 226491 >"$tmp/large.pgn"
"$gen" --games 226 --nodes 1002 >"$tmp/small.pgn"
for format in dhtmlxq xml json cbl; do
    convert -t $format -o "$tmp/large.$format" "$tmp/large.pgn"
    convert -t $format -o "$tmp/small.$format" "$tmp/small.pgn"
done
for format in xqf cbr; do
    convert -t $format -o "$tmp/large.$format" "$tmp/large.pgn"
    folder small-$format $format "$tmp/small.pgn"
done
head -n 30 "$tmp/1000.pgn" | awk '/^\[Game/ && NR > 1 { exit } { print }' >"$tmp/one.pgn"
i=0
while [ $i -lt "$length" ]; do
    cat "$tmp/utf8.pgn"
    i=$((i + 1))
done >"$tmp/long.pgn"

# ---- rows ----

# counts FILE…: games, plies of all lines, and a checksum of all that check finds. Findings
# name files, which lie in a folder of another name each time.
counts() {
    "$qipu" info -r --json "$@" 2>/dev/null | awk '/^{"type":"info"/ {
        games++
        if (match($0, /"nodes":[0-9]+/))
            plies += substr($0, RSTART + 8, RLENGTH - 8)
    } END { printf "%d %d ", games, plies }'
    "$qipu" check -r --json "$@" 2>/dev/null | sed "s|$tmp/||" | cksum | cut -d ' ' -f 1
}

# reference KIND FILE…: its name, a tab, its cost as timerun prints it. GNU grep stops at the
# first match where it writes into /dev/null; the others do all that is asked of them there.
reference() {
    kind=$1
    into=/dev/null
    shift
    case $kind in
    iconv:*) set -- iconv -f "${kind#*:}" -t UTF-8 "$@" ;;
    cat) set -- cat "$@" ;;
    sax) set -- xmllint --sax --noout --huge "$@" ;;
    grep)
        into=$tmp/reference
        set -- grep -c '^\[Game' "$@"
        ;;
    check) set -- "$qipu" check "$@" ;;
    xmllint) set -- xmllint --version ;;
    *) set -- : ;;
    esac
    shown=$(printf '%s\n' "$kind" | sed 's/:.*//; s/sax/xmllint --sax/; s/^xmllint$/xmllint --version/')
    if [ "$1" != : ] && command -v "$1" >/dev/null 2>&1; then
        printf '%s\t%s\n' "$shown" "$("$timerun" "$times" "$into" "$@" 2>/dev/null)"
    else
        printf -- '-\t0\t0\t0\t0\t0\n'
    fi
}

head_printed=
print_head() {
    [ -z "$head_printed" ] || return 0
    head_printed=1
    if [ "${TABLE:-}" = markdown ]; then
        echo '| case | MB | plies | MB/s | plies/s | times | reference | MiB |'
        echo '| --- | --: | --: | --: | --: | --: | --- | --: |'
    else
        printf 'case\tMB\tgames\tplies\tseconds\tcpu\tMB/s\tplies/s\treference\tits cpu\ttimes\tKiB\texit\tcksum\n'
    fi
}

# row NAME REFERENCE FILE COMMAND [OPTION…]: measures `qipu COMMAND OPTION… FILE`. FILE may be
# a folder, or - for none. $times runs; $known, where set, is what counts would say.
row() {
    name=$1 kind=$2 file=$3
    shift 3
    printf '%s\n' "$name" | grep -Eq -- "$wanted" || return 0
    files=
    bytes=0
    if [ "$file" != - ]; then
        if [ ! -e "$file" ]; then
            echo "# $name: no input"
            return 0
        fi
        set -- "$@" "$file"
        files=$(find "$file" -type f | sort)
        bytes=$(cat $files | wc -c)
        [ ! -d "$file" ] || set -- "$@" -r
    fi
    cost=$("$timerun" "$times" "$tmp/out" "$qipu" "$@" 2>"$tmp/err") || {
        echo "# $name: failed"
        sed 's/^/# /' "$tmp/err" | head -n 3
        return 0
    }
    sum=$(sed "s|$tmp/||" "$tmp/out" | cksum | cut -d ' ' -f 1)
    plain=$(reference "$kind" $files)
    command=$1
    if [ -n "$known" ]; then
        count=$known
    elif [ "$file" = - ]; then
        count="0 0 $sum"
    else
        count=$(counts "$file")
    fi
    # What a check found is its work, even where its words are few.
    set -- $count
    [ "$command" != check ] || sum=$3
    print_head
    printf '%s\n' "$plain" | tr '\t' '\n' >"$tmp/plain"
    { echo "$name"; echo "$bytes $1 $2 $cost $sum"; cat "$tmp/plain"; } |
        awk -v table="${TABLE:-}" 'NR == 1 { name = $0 }
        NR == 2 { split($0, v, /[ \t]+/) }
        NR == 3 { reference = $0 }
        NR > 3 { r[NR - 3] = $0 }
        END {
            cpu = v[5] + v[6]; plain = r[2] + r[3]
            mb = v[1] / 1e6
            rate = cpu > 0 ? mb / cpu : 0; plies = cpu > 0 ? v[3] / cpu : 0
            times = plain > 0 ? cpu / plain : 0
            if (table == "markdown")
                printf "| %s | %.1f | %d | %.0f | %.2g M | %.2f | %s | %.1f |\n", name, mb,
                    v[3], rate, plies / 1e6, times, reference, v[7] / 1024
            else
                printf "%s\t%.2f\t%d\t%d\t%.3f\t%.4f\t%.1f\t%.0f\t%s\t%.4f\t%.2f\t%d\t%d\t%s\n",
                    name, mb, v[2], v[3], v[4], cpu, rate, plies, reference, plain, times,
                    v[7], v[8], v[9]
        }'
    LAST_CPU=$(echo "$cost" | awk '{ printf "%.6f", $2 + $3 }')
    LAST_PLIES=$2
}

# tree FORMAT: the large tree beside the small ones, and what a ply takes of it.
tree() {
    small=$tmp/small.$1
    [ -e "$small" ] || small=$tmp/small-$1
    LAST_CPU=
    row "tree-$1-1000" cat "$small" check
    [ -n "$LAST_CPU" ] || return 0
    cpu=$LAST_CPU plies=$LAST_PLIES
    row "tree-$1-226491" cat "$tmp/large.$1" check
    echo "$cpu $plies $LAST_CPU $LAST_PLIES" |
        awk -v name="tree-$1" '$1 > 0 && $2 > 0 && $4 > 0 {
            printf "# %s: a ply of the large tree takes %.2f times one of the small trees\n",
                name, $3 / $4 / ($1 / $2) }'
}

echo "# input: $input"
echo "# machine: $(uname -sm), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null |
    head -n 1)"
echo "# program: $("$qipu" --version | head -n 1), median of $runs runs"
times=$runs known=
row check-big5 iconv:BIG5-HKSCS "$tmp/big5.pgn" check
row check-gb18030 iconv:GB18030 "$tmp/gb.pgn" check
row check-utf8 iconv:UTF-8 "$tmp/utf8.pgn" check
row check-utf8-json iconv:UTF-8 "$tmp/utf8.pgn" check --json
row check-wxf-pgn iconv:UTF-8 "$tmp/wxf.pgn" check
row check-iccs-pgn iconv:UTF-8 "$tmp/iccs.pgn" check
row check-notes-pgn iconv:UTF-8 "$tmp/notes.pgn" check
for format in txt dhtmlxq json iccs uci fen wxf book dpxq; do
    row check-$format iconv:UTF-8 "$tmp/games.$format" check
done
row check-xml sax "$tmp/games.xml" check
for format in pfc cbf; do
    row check-$format sax "$tmp/$format" check
done
for format in treetext cbr xqf; do
    row check-$format cat "$tmp/$format" check
done
row check-cbl cat "$tmp/games.cbl" check
for sample in mxq_movesky.mxq chn_gl_ourgame.chn che_qq.che ccm_17pk.ccm xgf_xiexie.xgf xqr_1.xqr; do
    [ -f "${QIPU_SHARED:-}/corpora/binary/$sample" ] || continue
    mkdir -p "$tmp/$sample"
    i=0
    while [ $i -lt 300 ]; do
        cp "$QIPU_SHARED/corpora/binary/$sample" "$tmp/$sample/$i.${sample##*.}"
        i=$((i + 1))
    done
    row "check-${sample##*.}" cat "$tmp/$sample" check
done
for format in pgn dhtmlxq xml json cbl xqf cbr; do
    tree $format
done
row info-big5 grep "$tmp/big5.pgn" info
for format in iccs uci fen txt wxf pgn json dhtmlxq xml cbl; do
    row convert-$format check "$tmp/big5.pgn" convert -q -t $format
done
row convert-pgn-wxf check "$tmp/big5.pgn" convert -q -t pgn -n wxf
row start-version xmllint - --version
row start-one-game xmllint "$tmp/one.pgn" check
known=$(counts "$tmp/utf8.pgn" | awk -v n="$length" '{ print $1 * n, $2 * n, $3 }')
times=1
row long-check iconv:UTF-8 "$tmp/long.pgn" check
row long-check-j0 iconv:UTF-8 "$tmp/long.pgn" check -j 0
row long-convert check "$tmp/long.pgn" convert -q -t json
known=
[ -n "${BENCH_ROWS:-}" ] || sh "$here/stages.sh"
