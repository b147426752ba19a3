#!/bin/sh
# tests/cli/jobs.sh: with -j N all is as with one thread: bytes, findings, exit codes. Chunks
# are made small, so that every file is cut in many places.
. "$top_srcdir/tests/cli/common.sh"
make_samples
"$QIPU" check -j 2 good.pgn 2>err || exit 1

all='check
check --json -v
info
info --json
lint --json
convert -t pgn
convert -t iccs --json
convert -q -t xml
convert -t dhtmlxq --on-error=skip
convert -t json --on-error=stop'
few='check --json
info
convert -t pgn'
commands=$all

# same JOBS CHUNKS FILE...: what is not as with one thread goes to the file differs.
same() {
    jobs=$1
    chunks=$2
    shift 2
    for file; do
        echo "$commands" | while read -r command; do
            # shellcheck disable=SC2086
            "$QIPU" $command "$file" >out1 2>err1 </dev/null
            one=$?
            for QIPU_CHUNK in $chunks; do
                # shellcheck disable=SC2086
                "$QIPU" $command -j "$jobs" "$file" >out2 2>err2 </dev/null
                many=$?
                [ $one = $many ] && cmp -s out1 out2 && cmp -s err1 err2 && continue
                echo "$command -j $jobs, chunks of $QIPU_CHUNK: $file" >>differs
            done
        done
    done
}
alike() {
    is "$(cat differs 2>/dev/null)" "" "$1"
    rm -f differs
}

QIPU_CHUNK=700
export QIPU_CHUNK
commands=$few
same 3 700 "$top_srcdir"/corpora/*.pgn "$top_srcdir"/corpora/generated/* \
    "$top_srcdir"/corpora/formats/* "$top_srcdir"/corpora/encodings/*
alike "the bundled records"
same 2 700 "$top_srcdir"/tests/golden/*.in.*
alike "the golden records"

# Each text format, long enough to be cut many times, at every place in turn.
cat "$top_srcdir"/corpora/generated/games.pgn "$top_srcdir"/corpora/first.pgn >many.pgn
for format in txt json iccs uci fen wxf dhtmlxq xml pgn; do
    "$QIPU" convert -q -t $format -o many.$format.in many.pgn 2>err
    sed 's/$/\r/' many.$format.in >crlf.$format.in
done
same 2 "256 301 499 1013 2100" many.*.in
commands=$all
same 3 800 many.*.in
alike "each text format, cut at many places"
commands=$few
same 4 500 crlf.*.in
alike "lines that end as on Windows"

# What is carried from one record to the next.
ascii() {
    printf '[Event "Cup"]\n[Red "Lu"]\n\n1. C2.5 H8+7 2. H2+3 R9.8 *\n\n'
}
{ ascii; ascii; ascii; ascii; ascii; ascii; good_game; ascii; good_game; } >late.pgn
iconv -f utf-8 -t gb18030 late.pgn >late-gbk.pgn
{ cat many.pgn; iconv -f utf-8 -t gb18030 many.pgn; cat late.pgn
    iconv -f utf-8 -t big5 "$top_srcdir"/corpora/generated/games.pgn 2>err; } >mixed.pgn
{ cat bad.pgn; printf '\n\n'; i=0
    while [ $i -lt 300 ]; do echo "words that are no game, line $i"; i=$((i + 1)); done
    cat many.pgn; } >prose.pgn
{ good_game; sed 's/1\. 炮/{ a comment that holds\n[Event "a tag"]\n&/' good.pgn
    printf '\n[Event "x"]\n[Red "y"]\n\n{never closed\n'; cat many.pgn; } >comments.pgn
{ printf '[Event "long"]\n\n1. 炮二平五 {'; i=0
    while [ $i -lt 400 ]; do echo "a comment that goes on and on, line $i"; i=$((i + 1)); done
    printf '} *\n\n'; cat many.pgn; } >long.pgn
printf '\357\273\277' | cat - many.pgn >bom.pgn
tr -d '\n' <many.pgn >one-line.pgn
iconv -f utf-8 -t utf-16le many.pgn >utf16.pgn
same 2 "300 1500" late.pgn late-gbk.pgn mixed.pgn prose.pgn comments.pgn long.pgn bom.pgn \
    one-line.pgn utf16.pgn empty.pgn
alike "encodings, prose, comments and long records"

# Many inputs, and where output goes.
mkdir folder
cp good.pgn bad.pgn two.pgn empty.pgn many.pgn late-gbk.pgn folder
printf 'no record\n' >folder/other.txt
for options in "check" "check -v --json" "info" "convert -t pgn" "convert --json -q -t uci"; do
    # shellcheck disable=SC2086
    "$QIPU" $options -r folder >out1 2>err1 </dev/null
    one=$?
    # shellcheck disable=SC2086
    "$QIPU" $options -j 3 -r folder >out2 2>err2 </dev/null
    is "$? $(cmp out1 out2 2>&1) $(cmp err1 err2 2>&1)" "$one  " "a folder: $options"
done
for options in "-o OUT/" "-o OUT/all.pgn" "--split 3 -o OUT/part.pgn" "--split 1 -t uci -o OUT/" \
    "-t xqf -o OUT/" "-t cbl -o OUT/all.cbl" "-E gbk -o OUT/" "-E utf-16 -o OUT/all.pgn"; do
    for jobs in 1 3; do
        rm -rf out.$jobs OUT
        mkdir OUT
        # shellcheck disable=SC2086
        "$QIPU" convert -t pgn $options -j $jobs -r folder >out.$jobs 2>err.$jobs </dev/null
        echo $? >>out.$jobs
        rm -rf files.$jobs
        mv OUT files.$jobs
    done
    is "$(cmp out.1 out.3 2>&1; cmp err.1 err.3 2>&1; diff -r files.1 files.3)" "" \
        "output: $options"
done

cat many.pgn | "$QIPU" check -j 2 --json >out2 2>err2
"$QIPU" check --json <many.pgn >out1 2>err1
is "$(cmp out1 out2 2>&1)" "" "standard input"
if command -v gzip >/dev/null && ! "$QIPU" check good.pgn.gz 2>&1 | grep -q 'without libarchive'; then
    gzip -c many.pgn >many.pgn.gz
    tar cf folder.tar folder
    same 2 1500 many.pgn.gz folder.tar
    alike "archives"
fi

# Real records, the longest of them in chunks of the usual size.
if [ -n "$QIPU_SHARED" ] && [ -d "$QIPU_SHARED/corpora" ]; then
    find "$QIPU_SHARED/corpora/text" -type f -size +300k | head -n 2 >files
    while read -r file; do
        same 2 262144 "$file" </dev/null
    done <files
    find "$QIPU_SHARED/corpora/text" -type f -size +8k -size -40k | sort | head -n 15 >files
    while read -r file; do
        same 4 3000 "$file" </dev/null
    done <files
    alike "real records"
fi
done_testing
