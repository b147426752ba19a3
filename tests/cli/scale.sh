#!/bin/sh
# tests/cli/scale.sh: GNU parallel deals out archives as qipu-scale(7) says, and what comes is
# what a single run gives.
. "$top_srcdir/tests/cli/common.sh"
parallel --version 2>/dev/null | grep -q '^GNU parallel' || skip_all "there is no GNU parallel"
HOME=$work # where it keeps its files, and finds that it was cited
export HOME
mkdir -p .parallel
touch .parallel/will-cite
PATH=$(dirname "$QIPU"):$PATH
export PATH

cat "$top_srcdir"/corpora/generated/games.pgn "$top_srcdir"/corpora/first.pgn \
    "$top_srcdir"/corpora/generated/games.pgn >many.pgn
qipu convert -q -t iccs many.pgn >many.iccs 2>err

parallel -k --pipe --block 2k qipu convert -q -t json <many.iccs >got 2>err
qipu convert -q -t json many.iccs >wanted 2>err
cmp -s got wanted
ok $? "lines through a pipe"

parallel -k --pipe --block 2k --regexp --recend '\n\n' --recstart '\[' \
    qipu convert -q -t json -e utf-8 <many.pgn >got 2>err
qipu convert -q -t json many.pgn >wanted 2>err
cmp -s got wanted
ok $? "PGN through a pipe"

parallel -k --pipe --block 2k --regexp --recend '\n\n' --recstart '\[' \
    '[ {#} -eq 1 ] || echo; qipu convert -q -t pgn -n iccs' <many.pgn >got 2>err
qipu convert -q -t pgn -n iccs many.pgn >wanted 2>err
cmp -s got wanted
ok $? "PGN to PGN"

seq 7 | parallel -k --sshlogin 2/: qipu convert -q -t json --shard {}/7 many.pgn >got 2>err
qipu convert -q -t json many.pgn >wanted 2>err
cmp -s got wanted
ok $? "shares by login"
done_testing
