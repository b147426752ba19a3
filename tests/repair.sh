#!/bin/sh
# tests/repair.sh: what lint gets back of damaged cards of invented games stays above these
# rates, in per cent, and no claim of certainty is wrong. `make bench-repair` gives more.
. "$top_srcdir/tests/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$top_builddir/tests/bench/repair" -n 24 -s 3 >"$work/table" 2>/dev/null
ok $? "the table is made"
at_least() { # at_least KIND FOUND FIRST THREE WHOLE PLIES
    awk -v kind="$1" -v wanted="$2 $3 $4 $5 $6" 'index($0, kind) == 1 {
            split(substr($0, 28), is); split(wanted, least)
            for (i = 1; i <= 5; i++)
                if (is[i + 1] + 0 < least[i])
                    printf "column %d is %s; ", i, is[i + 1]
            if (is[8] != 0)
                printf "%s wrong; ", is[8]
            seen = 1
        }
        END { if (!seen) print "not there" }' "$work/table" >"$work/bad"
    is "$(cat "$work/bad")" "" "$1"
}
at_least "one misread glyph" 95 95 95 95 97
at_least "two misread glyphs" 95 95 95 90 97
at_least "a ply missing" 95 85 92 85 90
at_least "a ply left blank" 95 85 92 85 90
at_least "a round missing" 85 70 80 65 85
at_least "a ply doubled" 95 95 95 95 97
at_least "a round doubled" 95 95 95 95 97
at_least "a seat exchanged" 90 90 90 90 97
at_least "columns exchanged" 99 0 0 99 99
at_least "five plies missing" 80 0 0 0 60
at_least "abbreviated 1999" 99 85 90 20 92
at_least "abbreviated 2011" 99 85 90 20 92
at_least "abbreviated, one missing" 90 80 85 15 85
done_testing
