#!/bin/sh
# bench/stages.sh: instructions a ply, by stage, as valgrind's callgrind counts them; they
# repeat on a noisy machine. A column is a floor of the library (decode: lib/text, lex: the
# lexer and lib/grammar, read and write: lib/format …), libraries what other libraries do,
# iconv and the loading of the program among them. The last rows are the game trees of
# bench.sh. Part of `make bench`; STAGE_GAMES games (1000).
set -u
top=${top_builddir:-.}
here=$(cd "$(dirname "$0")" && pwd)
qipu=${QIPU:-$top/tools/qipu}
gen=$top/tests/gen/qipu-gen
LC_ALL=C
export LC_ALL
command -v valgrind >/dev/null 2>&1 || { echo "# no valgrind: no stages"; exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/qipu-bench.XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
. "$here/inputs.sh"
stages="decode lex notation rules game checks read write base program libraries"

games=${STAGE_GAMES:-1000}
"$gen" --games "$games" >"$tmp/utf8.pgn"
"$gen" --games "$games" --notation chinese-traditional --encoding BIG5 >"$tmp/big5.pgn"
"$gen" --games "$games" --encoding GB18030 >"$tmp/gb.pgn"
convert -t pgn -n iccs -o "$tmp/iccs.pgn" "$tmp/utf8.pgn"
for format in dhtmlxq xml json cbl; do
    convert -t $format -o "$tmp/games.$format" "$tmp/utf8.pgn"
done
folder xqf xqf "$tmp/utf8.pgn"
plies=$("$qipu" check --json "$tmp/utf8.pgn" |
    sed -n 's/^{"type":"summary",.*"plies":\([0-9]*\).*/\1/p')
"$gen" --games 1 --nodes 226491 >"$tmp/large.pgn"
"$gen" --games 226 --nodes 1002 >"$tmp/small.pgn"
for size in large small; do
    convert -t cbl -o "$tmp/$size.cbl" "$tmp/$size.pgn"
done

# stages NAME COMMAND…
stages() {
    name=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file="$tmp/callgrind" "$qipu" "$@" \
        >"$tmp/out" 2>/dev/null
    awk -f "$here/stages.awk" "$tmp/callgrind" |
        awk -v name="$name" -v plies="$plies" -v stages="$stages" -v table="${TABLE:-}" '
        { count[$1] = $2 }
        END {
            mark = table == "markdown" ? " | " : "\t"
            n = split(stages, stage, " ")
            line = (table == "markdown" ? "| " : "") name
            line = line mark sprintf("%.0f", (count["own"] + count["libraries"]) / plies)
            for (i = 1; i <= n; i++)
                line = line mark sprintf("%.0f", count[stage[i]] / plies)
            print line (table == "markdown" ? " |" : "")
        }'
}

echo
echo "# instructions a ply: qipu-gen --games $games, $plies plies"
if [ "${TABLE:-}" = markdown ]; then
    echo "| case | all | $(echo $stages | sed 's/ / | /g') |"
    echo "| --- | --: | $(echo $stages | sed 's/[a-z]*/--:/g; s/ / | /g') |"
else
    printf 'case\tall\t%s\n' "$(echo $stages | tr ' ' '\t')"
fi
for encoding in big5 gb utf8 iccs; do
    stages check-$encoding check "$tmp/$encoding.pgn"
done
for format in dhtmlxq xml json cbl; do
    stages check-$format check "$tmp/games.$format"
done
stages check-xqf check -r "$tmp/xqf"
stages info-utf8 info "$tmp/utf8.pgn"
for format in pgn dhtmlxq xml json; do
    stages convert-$format convert -q -t $format "$tmp/utf8.pgn"
done
plies=226491
for format in pgn cbl; do
    stages tree-$format-1000 check "$tmp/small.$format"
    stages tree-$format-226491 check "$tmp/large.$format"
done
