#!/bin/sh
# tests/cli/shards.sh: the shares of --shard, one behind the other, are the whole: no record
# twice, none lost, wherever the cuts fall.
. "$top_srcdir/tests/cli/common.sh"
make_samples

# whole NAME COUNTS FILE... : what the shares of so many give, and what all give.
whole() {
    name=$1
    counts=$2
    shift 2
    "$QIPU" convert -q $options "$@" >wanted 2>err </dev/null
    for n in $counts; do
        k=1
        : >got
        while [ $k -le "$n" ]; do
            "$QIPU" convert -q $options --shard $k/"$n" "$@" >>got 2>err </dev/null
            k=$((k + 1))
        done
        cmp -s wanted got || echo "$name: $n shares" >>differs
    done
}
alike() {
    is "$(cat differs 2>/dev/null)" "" "$1"
    rm -f differs
}

head -n 60 "$top_srcdir"/corpora/generated/games.pgn >few.pgn
cat "$top_srcdir"/corpora/first.pgn >>few.pgn
cat "$top_srcdir"/corpora/generated/games.pgn "$top_srcdir"/corpora/first.pgn >many.pgn
options='-t json'
for format in pgn txt json iccs uci fen wxf dhtmlxq xml; do
    "$QIPU" convert -q -t $format -o few.$format.in few.pgn 2>err
    "$QIPU" convert -q -t $format -o many.$format.in many.pgn 2>err
    sed 's/$/\r/' many.$format.in >crlf.$format.in
    whole "few.$format" "1 2 3 4 5 6 7 8 9 11 13" few.$format.in
    whole "many.$format" "2 3 17 64" many.$format.in
    whole "crlf.$format" "5 23" crlf.$format.in
done
alike "each text format, shared among few and many"

printf '[A "1"]\n[B "2"]\n\n1. C2=5 *\n\n[A "3"]\n[B "4"]\n\n1. H2+3 *\n' >tiny.pgn
i=1
counts=
while [ $i -le 80 ]; do
    counts="$counts $i"
    i=$((i + 1))
done
whole tiny.pgn "$counts" tiny.pgn
alike "a cut at every byte, and more shares than bytes"

for format in pgn txt json iccs uci fen wxf dhtmlxq; do
    options="-t $format"
    whole "-t $format" "2 5 30" many.pgn
done
alike "each output that can be joined"

mkdir folder
cp many.pgn few.json.in good.pgn bad.pgn empty.pgn folder
"$QIPU" convert -q -t xqf -o folder/a.xqf good.pgn 2>err
"$QIPU" convert -q -t cbl -o folder/b.cbl many.pgn 2>err
iconv -f utf-8 -t gb18030 many.pgn >folder/gbk.pgn
iconv -f utf-8 -t utf-16le many.pgn >folder/utf16.pgn
options='-t pgn -r'
whole folder "2 3 7 19" folder
options='-t pgn -r -j 2'
QIPU_CHUNK=700
export QIPU_CHUNK
whole "folder, two threads" "3 7" folder
unset QIPU_CHUNK
alike "a folder with files that cannot be cut"

# check, lint and info share as well.
for command in check lint info; do
    for k in 1 2 3; do
        "$QIPU" $command --json --shard $k/3 many.pgn </dev/null 2>err
    done | grep -c '"type":"\(game\|info\)"' >got
    is "$(cat got)" "$("$QIPU" info --json many.pgn | grep -c info)" "$command: every game once"
done
run lint --fix --shard 1/2 good.pgn
exits 2 "lint --fix is not shared"

# What has no size is dealt.
for k in 1 2 3; do
    cat many.pgn | "$QIPU" convert -q -t iccs --shard $k/3 2>err
done | sort >got
"$QIPU" convert -q -t iccs many.pgn 2>err | sort >wanted
cmp -s got wanted
ok $? "a pipe: every record once"
done_testing
