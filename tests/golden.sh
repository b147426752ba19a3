#!/bin/sh
# tests/golden.sh [--update]: what the command line writes for a record, byte for byte.
#
# tests/golden/NAME.in.SUFFIX is a record. Beside it, a file for each job that is compared:
#     NAME.check   qipu check, its exit status at the end
#     NAME.info    qipu info
#     NAME.show    qipu show --every 3
#     NAME.loops   qipu check -v
#     NAME.terms   qipu check -v --terms zh --letters
#     NAME.FORMAT  qipu convert -t FORMAT
#     NAME.said    what qipu convert -t txt -E gb2312 says on standard error
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
    show) "$qipu" show --every 3 "$2" 2>/dev/null ;;
    loops) "$qipu" check -v "$2" 2>/dev/null ;;
    terms) "$qipu" check -v --terms zh --letters "$2" 2>/dev/null ;;
    said) "$qipu" convert -t txt -E gb2312 "$2" 2>&1 >/dev/null ;;
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

# Every code of <qipu.h> stands in a golden file, but for those that ask for more than a small
# file (a limit), are tested from tables (bytes), or belong to work that is not done here.
elsewhere='card-differs columns-swapped encoding-invalid encoding-junk encoding-mojibake file-limit
format-unsupported move-doubled move-glyph move-missing scorecard-foul'
sed -n 's/^ *X([a-z_]*, "\([a-z-]*\)".*/\1/p' "$top_srcdir/lib/qipu.h" | while read -r code; do
    grep -q "\[$code\]\$" ./*.check ./*.said && continue
    printf '%s\n' $elsewhere | grep -qx -e "$code" || echo "$code"
done >"$work/missing"
is "$(cat "$work/missing")" "" "every code has a golden file"
done_testing
