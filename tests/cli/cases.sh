#!/bin/sh
# tests/cli/cases.sh: the collection of real-life cases, where QIPU_SHARED names it. One test
# a case; blocks that ask for repair are not judged here.
. "$top_srcdir/tests/tap.sh"
runner=${QIPU_SHARED-}/tools/run_cases.py
[ -n "${QIPU_SHARED-}" ] && [ -f "$runner" ] || skip_all "QIPU_SHARED names no cases"
command -v python3 >/dev/null 2>&1 || skip_all "python3 was not found"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# What is read by parts that are not here: WXF files, XQF, zip and tar.
left_out='fmt-wxf-file|fmt-xqf-.*'
left_out="$left_out|cli-zip-.*"

for folder in "$QIPU_SHARED"/cases/*/; do
    name=$(basename "$folder")
    case $name in
    enc-*|not-*|var-*|fmt-*|rul-*|cli-*|sc-*|scl-*) ;;
    *) continue ;;
    esac
    if printf '%s\n' "$name" | grep -Eqx "$left_out"; then
        continue
    fi
    "$runner" --qipu "$QIPU" --cases "$QIPU_SHARED/cases" "$name" >"$work/said" 2>&1
    grep '^FAILED' "$work/said" >"$work/failed"
    if [ "$name" = not-wxf-dot-lowercase ]; then
        sed -i.bak '/\.wxf: /d' "$work/failed"
    fi
    grep -q '^cases whole' "$work/said" || cp "$work/said" "$work/failed"
    is "$(cat "$work/failed")" "" "$name"
done
done_testing
