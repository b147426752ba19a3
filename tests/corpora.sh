#!/bin/sh
# corpora.sh: the sample records are what corpora/README.md says of them: the sum of each
# file, the games and plies that `qipu check` finds, and its exit code. Without the tool's
# check command (or without sha256sum) that part is skipped. `corpora.sh --update` rewrites
# those columns of the table: look at the difference before it is committed.
if [ "${1:-}" = --update ]; then
    top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
    QIPU=${QIPU:-tools/qipu}
fi
. "$top_srcdir/tests/tap.sh"
corpora=$top_srcdir/corpora
readme=$corpora/README.md

# sum FILE: its SHA-256, or nothing where no tool tells it.
sum() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum <"$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null 2>&1; then
        shasum -a 256 <"$1" | cut -d ' ' -f 1
    fi
}

# found FILE: "games plies exit", as check finds them.
found() {
    json=$("$QIPU" check --json "$1" 2>/dev/null)
    code=$?
    printf '%s\n' "$json" | sed -n \
        's/^{"type":"summary","games":\([0-9]*\),"plies":\([0-9]*\).*/\1 \2 '"$code/p"
}

# The rows of the table, fields parted by "|": an empty one, `name`, games, plies, exit, …
rows() {
    sed -n 's/^| `\([^`]*\)` | \([0-9]*\) | \([0-9]*\) | \([0-9]*\) |.*| `\([0-9a-f]*\)` |$/\1 \2 \3 \4 \5/p' \
        "$readme"
}

if [ "${1:-}" = --update ]; then
    rows | while read -r name _; do
        set -- $(found "$corpora/$name") $(sum "$corpora/$name")
        [ $# -eq 4 ] || { echo "$name: not measured" >&2; continue; }
        sed "s;^\(| \`$name\` |\) [0-9]* | [0-9]* | [0-9]* |\(.*| \`\)[0-9a-f]*\` |\$;\1 $1 | $2 | $3 |\2$4\` |;" \
            "$readme" >"$readme.tmp" && mv "$readme.tmp" "$readme"
    done
    exit 0
fi

works=
"$QIPU" check --json "$corpora/formats/tree.pgn" >/dev/null 2>&1 && works=yes
sums=$(sum "$readme")
listed=$(rows | cut -d ' ' -f 1 | sort)
here=$(cd "$corpora" && find . -type f ! -name README.md ! -name local.mk | sed 's;^\./;;' | sort)
is "$listed" "$here" "corpora/README.md has a row for every file"
while read -r name games plies code sha; do
    [ -z "$sums" ] || is "$(sum "$corpora/$name")" "$sha" "$name is as it was"
    [ -z "$works" ] || is "$(found "$corpora/$name")" "$games $plies $code" \
        "$name: games, plies and exit code"
done <<END
$(rows)
END
done_testing
