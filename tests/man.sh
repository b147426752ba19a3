#!/bin/sh
# tests/man.sh: the manual pages are sound and say what the program does: pages without
# warnings, the synopsis of each command, its options (--help, which all have, stands in
# qipu(1) alone), the codes of findings, a program that compiles and runs.
. "$top_srcdir/tests/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
man=$top_srcdir/man

have_mandoc=false
if command -v "${MANDOC:-mandoc}" >/dev/null 2>&1 && [ "${MANDOC-}" != : ]; then
    have_mandoc=true
fi

mkdir "$work/bin"
program=$(cd "$(dirname "$QIPU")" && pwd)/$(basename "$QIPU")
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >"$work/bin/qipu"
chmod +x "$work/bin/qipu"

flatten() {
    tr -s '\n ' '  ' | sed 's/^ //; s/ $//'
}
for page in "$man"/*.[1-9]; do
    $have_mandoc || break
    is "$("${MANDOC:-mandoc}" -Tlint -W warning "$page" 2>&1)" "" "$(basename "$page")"
done

for command in $("$QIPU" help | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p'); do
    [ "$command" = help ] && continue
    page=$man/qipu-$command.1
    [ -f "$page" ]
    ok $? "qipu $command has a page"
    $have_mandoc && [ -f "$page" ] || continue
    "${MANDOC:-mandoc}" -Tascii -O width=1000 "$page" | sed "s/.$(printf '\010')//g" |
        awk '/^[A-Z]/ { inside = /^SYNOPSIS/; next } inside' | flatten >"$work/page"
    "$QIPU" "$command" --help | sed 's/^usage: //' | flatten >"$work/program"
    is "$(cat "$work/program")" "$(cat "$work/page")" "qipu $command --help is its SYNOPSIS"
    "$QIPU" help "$command" | sed -n 's/^  [ -].*--\([a-z-]*\).*/\1/p' |
        while read -r option; do
            grep -q -e "Fl -$option" "$page" || [ "$option" = help ] || echo "$option"
        done >"$work/missing"
    is "$(cat "$work/missing")" "" "the page of $command explains every option"
done

# The examples of qipu-lint(1): files by cat, and what the program says of them.
mkdir "$work/examples"
awk -v folder="$work/examples" '
    /^\.Bd/ { inside = 1; next }
    /^\.Ed/ { inside = 0; file = ""; next }
    !inside { next }
    /^\$ cat / { file = folder "/" $3; printf "" > file; next }
    /^\$ / { count++; file = folder "/" count ".said"; printf "" > file
        print substr($0, 3) > (folder "/" count ".run"); next }
    file != "" { print > file }' "$man/qipu-lint.1"
for run in "$work"/examples/*.run; do
    said=$(cd "$work/examples" && PATH=$work/bin:$PATH sh "$run" 2>&1)
    is "$said" "$(cat "${run%.run}.said")" "qipu-lint(1): $(cat "$run")"
done

# Codes: name, severity, summary and help of QP_CODES, in that order.
awk '/^#define QP_CODES\(X\)/ { inside = 1; next }
    inside { gsub(/ *\\$/, ""); text = text " " $0 }
    inside && !/\)$/ && !/,$/ { exit }
    END {
        while (match(text, /X\([a-z_]+, +"[^"]*", *[A-Z]+, *"[^"]*", *"[^"]*"\)/)) {
            row = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            split(row, part, "\"")
            severity = part[3]
            gsub(/[ ,]/, "", severity)
            print part[2] "|" tolower(severity) "|" tolower(part[4]) "|" tolower(part[6])
        }
    }' "$top_srcdir/lib/qipu.h" >"$work/header"
awk '/^\.It Sy / { name = $3; severity = $5; getline summary; getline; getline help
        sub(/\.$/, "", summary); sub(/\.$/, "", help)
        print tolower(name "|" severity "|" summary "|" help) }' "$man/qipu-codes.7" \
    >"$work/page"
[ "$(wc -l <"$work/header")" -gt 40 ]
ok $? "the header has its codes"
is "$(cat "$work/page")" "$(cat "$work/header")" "qipu-codes(7) lists the codes of <qipu.h>"

# Every format that the program knows has a paragraph.
"$QIPU" formats | awk '/^$/ { exit } NR > 1 { print $1 }' | while read -r format; do
    grep -q -x -e "\.Ss $format" "$man/qipu-formats.7" || echo "$format"
done >"$work/missing"
is "$(cat "$work/missing")" "" "qipu-formats(7) explains every format"

# What each holds stands there as the descriptors say; man/losses.sh --update renews it.
sed -n '/^\.\\" table, by/,/^\.\\" end of/p' "$man/qipu-formats.7" | sed '/^\./d' >"$work/page"
is "$(cat "$work/page")" "$(sh "$man/losses.sh")" "the table of qipu-formats(7) is up to date"

# The program of libqipu(3), built against the library and run.
awk '/^\.Bd -literal$/ { inside = 1; text = ""; next }
    /^\.Ed$/ { if (inside && text ~ /#include/) printf "%s", text; inside = 0 }
    inside { gsub(/\\e/, "\\"); text = text $0 "\n" }' "$man/libqipu.3" >"$work/sound.c"
[ -s "$work/sound.c" ]
ok $? "libqipu(3) holds a program"
# shellcheck disable=SC2086
${CC:-cc} $QP_CFLAGS -Wall -Wextra -I"$top_srcdir/lib" -c -o "$work/sound.o" "$work/sound.c" \
    >"$work/said" 2>&1
is "$? $(cat "$work/said")" "0 " "it compiles without a warning"
# shellcheck disable=SC2086
"$top_builddir/libtool" --silent --tag=CC --mode=link ${CC:-cc} $QP_LDFLAGS -no-install \
    -o "$work/sound" "$work/sound.o" "$top_builddir/lib/libqipu.la" >"$work/said" 2>&1
is "$? $(cat "$work/said")" "0 " "it links"
{
    printf '[Result "1-0"]\n\n1. 炮二平五 马8进7 2. 马二进三 1-0\n\n'
    printf '[Result "1-0"]\n\n1. 炮二平五 马8进7 2. 马二进四 1-0\n'
} >"$work/games.pgn"
"$work/sound" <"$work/games.pgn" >"$work/said" 2>&1
is "$? $(sed '/^  /d' "$work/said" | tr '\n' ';')" \
    "0 game 1: 3 plies, sound;game 2: 2 plies, broken;" "it runs"
is "$(grep -c 'line 7: .*\[move-blocked\]' "$work/said")" 1 "and prints the finding"
done_testing
