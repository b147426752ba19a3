#!/bin/sh
# tests/cli/output.sh: where convert writes, and that an output is whole or not there.
. "$top_srcdir/tests/cli/common.sh"
make_samples

run convert -q -t iccs good.pgn bad.pgn good.pgn
is "$code $(lines out)" "1 3" "several inputs, one output"
cp out wanted
run convert -q -o all.iccs good.pgn bad.pgn good.pgn
is "$code $(cat out)" "1 " "-o by the suffix"
is "$(cat all.iccs)" "$(cat wanted)" "-o holds the same"
run convert -q -t iccs -o - good.pgn bad.pgn good.pgn
is "$(cat out)" "$(cat wanted)" "-o - is standard output"

umask 027
run convert -q -o mode.iccs good.pgn
is "$(ls -l mode.iccs | cut -c 1-10)" "-rw-r-----" "a new file gets the usual mode"
chmod 604 mode.iccs
run convert -q -o mode.iccs good.pgn
is "$(ls -l mode.iccs | cut -c 1-10)" "-rw----r--" "a renewed file keeps its mode"
umask 022
ln -s all.iccs link.iccs
run convert -q -o link.iccs good.pgn
is "$([ -L link.iccs ] && lines all.iccs)" 1 "a link is kept, its file renewed"
run convert -q -t pgn -o good.pgn good.pgn
is "$code $(lines good.pgn | grep -c '^0')" "0 0" "a file can be converted in its place"

echo "as it was" >kept.iccs
run convert -q -o kept.iccs good.pgn nosuch.pgn
is "$code $(cat kept.iccs)" "2 as it was" "a missing input: the output stays as it was"
run convert -q -o kept.iccs .
is "$code $(cat kept.iccs)" "2 as it was" "an unreadable input: the output stays as it was"
run convert -t dhtmlxq -o nodir/out.txt good.pgn
is "$code $(lines err) $(ls -d nodir 2>/dev/null)" "2 1 " "no folder: exit 2, nothing made"
run convert -t pgn -o . good.pgn
exits 2 "a folder without a slash"
is "$(find . -name '.*.??????' | wc -l | tr -d ' ')" 0 "no hidden file is left"

# Folders.
mkdir a b
good_game >a/01.pgn
bad_game >b/01.pgn
good_game >b/02.txt
run convert -t json -o out.d/ a/01.pgn b/01.pgn b/02.txt
exits 1 "-o folder/"
is "$(ls out.d | tr '\n' ' ')" "01-2.json 01.json 02.json " "one output per input, none lost"
has err "01.pgn: another input has this name; written as out.d/01-2.json" "and said so"
run convert -q -t json -o out.d/ a/01.pgn b/01.pgn b/02.txt
is "$(ls out.d | tr '\n' ' ')" "01-2.json 01.json 02.json " "the same again"
run convert -q -t json -o new/deep/ good.pgn
exits 2 "the folders above it are not made"
run convert -q -t json -o some.d/ a/01.pgn nosuch.pgn empty.pgn b/02.txt
is "$code $(ls some.d | tr '\n' ' ')" "2 01.json 02.json " "what can be read is written"
"$QIPU" convert -q -t json -o stdin.d/ <good.pgn
is "$(ls stdin.d)" "stdin.json" "standard input has a name as well"
mkdir walk
good_game >walk/1.pgn
good_game >walk/2.pgn
run convert -q -r -t pgn -o walk/out/ walk
run convert -q -r -t pgn -o walk/out/ walk
is "$code $(ls walk/out | tr '\n' ' ')" "0 1.pgn 2.pgn " "a walk does not read its own output"
run convert -q -r -o walk/all.pgn walk/1.pgn walk
run convert -q -r -o walk/all.pgn walk
is "$(grep -c Event walk/all.pgn)" 4 "nor the file that it writes"

# Parts and shares.
run convert -q --split 2 -o part.json two.pgn two.pgn good.pgn
is "$(ls part*)" "part-0001.json
part-0002.json
part-0003.json" "--split"
is "$(cat part-000*.json | wc -l | tr -d ' ') $(lines part-0003.json)" "5 1" "holds all games"
run convert -q --split 1 -t json -o parts/ two.pgn good.pgn
is "$(ls parts | tr '\n' ' ')" "good-0001.json two-0001.json two-0002.json " \
    "--split in a folder"
run convert -q -t iccs two.pgn two.pgn good.pgn
sort out >wanted
for k in 1 2 3; do
    run convert -q -t iccs --shard $k/3 two.pgn two.pgn good.pgn
    cat out
done | sort >got
is "$(cat got)" "$(cat wanted)" "--shard: the shares are the whole"
run convert -q -t iccs --shard 2/3 two.pgn two.pgn good.pgn
is "$(lines out)" 2 "--shard: a share"
done_testing
