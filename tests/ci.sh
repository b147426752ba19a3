#!/bin/sh
# ci.sh [STEP...]: the longer round, on any machine that has the tools; without steps all of
# them. What a machine lacks is said and left out. Builds lie in $CI_BUILD (a new folder under
# $TMPDIR), logs beside them; the source tree needs a configure (run ./bootstrap first) and
# must not be configured itself.
#
#   gcc clang    build with every warning an error, make check
#   sanitize     the whole suite under address and undefined behaviour sanitizers
#   threads      the test of -j under the thread sanitizer
#   fuzz         each fuzz target for a few seconds (FUZZ_SECONDS, 20), where clang has libFuzzer
#   distcheck    make distcheck
#   valgrind     check and convert over the sample records under memcheck
#   bench        make bench-check: instruction counts against the known ones
#   man          mandoc -T lint over the manual pages
#   shell        shellcheck over the shell scripts
#   format       how many files clang-format would change; a report, no failure
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
build=${CI_BUILD:-$(mktemp -d "${TMPDIR:-/tmp}/qipu-ci.XXXXXX")}
jobs=${JOBS:-2}
mkdir -p "$build" || exit 2
failed=
[ $# -gt 0 ] || set -- gcc clang sanitize threads fuzz distcheck valgrind bench man shell format

has() {
    command -v "$1" >/dev/null 2>&1
}

# make_in FOLDER CONFIGURE-OPTION...: configures and builds there.
make_in() {
    mkdir -p "$build/$1" && cd "$build/$1" || return 1
    shift
    "$top/configure" -q "$@" && make -s -j"$jobs"
}

compiler() {
    make_in "$1" CC="$1" --enable-werror && make -s -j"$jobs" check
}

sanitize() {
    make_in sanitize --enable-werror --enable-sanitize --disable-shared CFLAGS='-O1 -g' &&
        make -s -j"$jobs" check
}

threads() {
    make_in threads --enable-sanitize=thread --disable-shared --without-criterion \
        CFLAGS='-O1 -g' && make -s check TESTS=tests/cli/jobs.sh
}

fuzz() {
    make_in fuzz CC=clang --enable-fuzz --enable-sanitize --disable-shared \
        --without-criterion CFLAGS='-O1 -g' &&
        make -s -j"$jobs" check TESTS= &&
        BUILD=$build/fuzz "$top/tests/fuzz/run.sh" "${FUZZ_SECONDS:-20}"
}

distcheck() {
    make_in dist && make -s -j"$jobs" distcheck
}

memcheck() {
    make_in valgrind --disable-shared CFLAGS='-O1 -g' || return 1
    status=0
    for file in "$top"/corpora/*/*.*; do
        for command in 'check --json' 'convert -q -t json' 'convert -q -t pgn -n wxf'; do
            # shellcheck disable=SC2086 # a command and its options
            valgrind -q --error-exitcode=99 --leak-check=full tools/qipu $command "$file" \
                >/dev/null 2>"$build/valgrind.err"
            if [ $? -eq 99 ]; then
                echo "qipu $command $file:"
                cat "$build/valgrind.err"
                status=1
            fi
        done
    done
    return $status
}

bench() {
    make_in bench && make -s bench-check
}

# Warnings alone: a hint of style is no fault of a page.
man() {
    mandoc -T lint -W warning "$top"/man/*.[1-9]
}

shell() {
    shellcheck -s sh -S warning -e SC1090,SC1091,SC2010,SC2034,SC2046,SC2059,SC2069,SC2154 "$top"/bootstrap "$top"/.ci/run \
        "$top"/tests/*.sh "$top"/tests/*/*.sh
}

format() {
    count=0
    for file in "$top"/lib/*.h "$top"/lib/*/*.[ch] "$top"/tools/*.[ch] "$top"/tests/*/*.[ch]; do
        clang-format --style=file "$file" | cmp -s - "$file" || count=$((count + 1))
    done
    echo "clang-format would change $count files"
}

# step NAME NEEDED-PROGRAM FUNCTION [ARGUMENT]
step() {
    name=$1 needs=$2
    shift 2
    if ! has "$needs"; then
        echo "skip  $name: no $needs"
        return
    fi
    if (cd "$top" && "$@") >"$build/$name.log" 2>&1; then
        echo "ok    $name"
    else
        echo "FAIL  $name: $build/$name.log"
        grep -E '^(FAIL|ERROR):|error:|ERROR: |SUMMARY' "$build/$name.log" | head -n 10
        failed="$failed $name"
    fi
    [ "$name" != format ] || cat "$build/$name.log"
}

[ -x "$top/configure" ] || { echo "ci.sh: no configure; run ./bootstrap" >&2; exit 2; }
for name; do
    case $name in
    gcc | clang) step "$name" "$name" compiler "$name" ;;
    sanitize) step sanitize make sanitize ;;
    threads) step threads make threads ;;
    fuzz) step fuzz clang fuzz ;;
    distcheck) step distcheck make distcheck ;;
    valgrind) step valgrind valgrind memcheck ;;
    bench) step bench valgrind bench ;;
    man) step man mandoc man ;;
    shell) step shell shellcheck shell ;;
    format) step format clang-format format ;;
    *) echo "ci.sh: no step '$name'" >&2; exit 2 ;;
    esac
done
if [ -n "$failed" ]; then
    echo "failed:$failed"
    exit 1
fi
echo "all is well; $build can go"
