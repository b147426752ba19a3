#!/bin/sh
# tests/golden.sh [--update]: what the command line writes for a record, byte for byte.
#
# tests/golden/NAME.in.SUFFIX is a record. Beside it, a file for each job that is compared:
#     NAME.check   qipu check, its exit status at the end
#     NAME.info    qipu info
#     NAME.FORMAT  qipu convert -t FORMAT
# --update writes these anew, from the program named by QIPU; look at the difference before
# it is committed. To add one, make the file empty and update.
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
. "$top_srcdir/tests/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$top_srcdir/tests/golden" || exit 1
qipu=${QIPU:-qipu}

write_job() { # write_job JOB INPUT
    case $1 in
    check)
        code=0
        "$qipu" check "$2" 2>/dev/null || code=$?
        echo "exit $code"
        ;;
    info) "$qipu" info "$2" 2>/dev/null ;;
    *) "$qipu" convert -q -t "$1" "$2" 2>/dev/null ;;
    esac
}
for input in *.in.*; do
    name=${input%%.in.*}
    found=false
    for wanted in "$name".*; do
        case $wanted in *.in.*) continue ;; esac
        found=true
        write_job "${wanted#"$name".}" "$input" >"$work/got"
        if [ "${1-}" = --update ]; then
            cmp -s "$work/got" "$wanted" || { cp "$work/got" "$wanted" && echo "# new: $wanted"; }
        fi
        cmp -s "$work/got" "$wanted"
        status=$?
        ok $status "$wanted"
        [ $status = 0 ] || diff "$wanted" "$work/got" | sed 's/^/# /'
    done
    $found
    ok $? "$input has something to compare"
done
done_testing
