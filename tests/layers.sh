#!/bin/sh
# tests/layers.sh: fails when a lower floor uses a symbol that a higher floor defines.
. "$top_srcdir/tests/tap.sh"
cd "$top_builddir/lib" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
floors="base text grammar rules notation game format check"
n=0
for floor in $floors; do
    n=$((n + 1))
    find "$floor" -name '*.o' >"$work/objects"
    [ -s "$work/objects" ] || { ok 1 "$floor has objects"; continue; }
    # shellcheck disable=SC2046
    "${NM:-nm}" $(cat "$work/objects") | awk -v n="$n" -v work="$work" '
        $2 ~ /^[TDRBVWC]$/ && $3 ~ /^qp_/ { print $3, n > (work "/defined") }
        $1 == "U" && $2 ~ /^qp_/ { print $2, n > (work "/used") }'
done
touch "$work/defined" "$work/used"
n=0
for floor in $floors; do
    n=$((n + 1))
    bad=$(awk -v n="$n" 'NR == FNR { floor[$1] = $2; next }
        $2 == n && floor[$1] > n && !seen[$1]++ { print $1 }' "$work/defined" "$work/used")
    is "$bad" "" "$floor uses nothing of a higher floor"
done
done_testing
