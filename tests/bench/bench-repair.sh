#!/bin/sh
# tests/bench/bench-repair.sh: `make bench-repair`, how much of a damaged card qipu lint gets
# back, for each kind of damage, and what is aimed at. Invented games, and the games below
# $QIPU_SHARED/corpora where that is set, of them the half that the weights of moves were not
# fitted to. CARDS says how many of each kind (300), SEED how they are damaged (1).
repair=$top_builddir/tests/bench/repair
echo "invented games"
"$repair" -n "${CARDS:-300}" -s "${SEED:-1}" || exit 1
[ -n "$QIPU_SHARED" ] || exit 0
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT
find "$QIPU_SHARED/corpora/text" "$QIPU_SHARED/corpora/binary" -type f \( -name '*.pgn' -o \
    -name '*.xqf' -o -name '*.ubb' -o -name '*.cbr' -o -name '*.cbl' \) | sort >"$list"
echo "half of the games of $QIPU_SHARED, of 56 plies and more"
xargs "$repair" -a -H 2 -p 56 -n "${CARDS:-300}" -s "${SEED:-1}" <"$list"
