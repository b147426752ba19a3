#!/bin/sh
# fuzz/replay.sh: every seed through every reader's fuzz target, positions and dialects
# through their own. A seed is the smallest input that once failed, or a sample that leads
# the fuzzer on.
. "$top_srcdir/tests/tap.sh"
bin=$top_builddir/tests/fuzz
seeds=$top_srcdir/tests/fuzz/seeds
for target in auto pgn txt dhtmlxq xml json iccs uci fen wxf cbr cbl xqf xqr xgf mxq gl che ccm \
    treetext book dpxq cbf pfc write lint parts; do
    log=$("$bin/fuzz_$target" "$seeds"/reader/* 2>&1)
    status=$?
    ok $status "fuzz_$target over seeds/reader"
    [ $status -eq 0 ] || printf '%s\n' "$log" | tail -n 40 | sed 's/^/# /'
done
for target in position dialect archive xml_plain skim; do
    log=$("$bin/fuzz_$target" "$seeds/$target"/* 2>&1)
    status=$?
    ok $status "fuzz_$target over seeds/$target"
    [ $status -eq 0 ] || printf '%s\n' "$log" | tail -n 40 | sed 's/^/# /'
done
done_testing
