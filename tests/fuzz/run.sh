#!/bin/sh
# fuzz/run.sh [SECONDS [TARGET...]]: runs each fuzz target for so long (60 s), one after the
# other. Needs a build with clang, --enable-fuzz and best --enable-sanitize; give its folder
# as BUILD. What fails is left in $BUILD/fuzz/TARGET/; reduce it with -minimize_crash=1, put
# it into tests/fuzz/seeds. Binary records under $QIPU_SHARED, where that is set, lead the
# fuzzer on as well.
#
#   ../configure CC=clang --enable-fuzz --enable-sanitize --disable-shared && make check TESTS=
#   BUILD=. ../tests/fuzz/run.sh 600 pgn txt
#
# An input that takes over TIMEOUT seconds (10) is a failure; give a busy machine more.
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-.}
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- auto pgn txt dhtmlxq xml json iccs uci fen wxf cbr cbl xqf xqr xgf mxq gl che ccm \
    treetext book dpxq cbf pfc write lint parts archive xml_plain skim position dialect
status=0
for target; do
    case $target in
    position | dialect | archive | xml_plain | skim) seeds=$here/seeds/$target ;;
    *) seeds=$here/seeds/reader ;;
    esac
    more=
    case $target in
    cb[lr] | xqf | xqr | xgf | auto) [ ! -d "${QIPU_SHARED:-}/corpora/binary" ] || more=$QIPU_SHARED/corpora/binary ;;
    esac
    work=$build/fuzz/$target
    mkdir -p "$work/corpus"
    echo "== $target, $seconds s"
    "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" \
        -timeout="${TIMEOUT:-10}" -rss_limit_mb=2048 -max_len="${MAX_LEN:-8192}" \
        -dict="$here/qipu.dict" -artifact_prefix="$work/" \
        -print_final_stats=1 "$work/corpus" "$seeds" ${more:+"$more"} >"$work/log" 2>&1 || {
        status=1
        grep -aE 'fuzz:|ERROR|SUMMARY|Test unit written' "$work/log"
    }
    grep -aE 'number_of_executed_units|peak_rss_mb' "$work/log"
done
exit $status
