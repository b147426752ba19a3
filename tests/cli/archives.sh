#!/bin/sh
# tests/cli/archives.sh: archives and compressed files are read through, a member at a time.
. "$top_srcdir/tests/cli/common.sh"
make_samples
mkdir -p tree/sub
good_game >tree/01.pgn
bad_game >tree/sub/02.pgn
echo "nothing of the kind" >tree/sub/read.me
good_game >tree/sub/.hidden.pgn
tar cf all.tar tree
gzip -c good.pgn >good.pgn.gz

if ! grep -q '^#define HAVE_LIBARCHIVE' "$top_builddir/config.h"; then
    run check all.tar
    is "$code $(grep -c 'a tar file.*no libarchive.*format-unsupported' out)" "1 1" \
        "without libarchive an archive is known by name"
    run check -r .
    lacks out "unsupported" "and passed over in a walk"
    done_testing
    exit
fi

# files: the file of each game in out, in order.
files() {
    sed -n 's/^{"type":"game","file":"\([^"]*\)".*/\1/p' out | tr '\n' ' '
}
run check -q --json tree/01.pgn tree/sub/02.pgn
sed 's/"file":"/&all.tar!/' out | sort >wanted
run check --json all.tar
sort out >got
is "$(cat got)" "$(cat wanted)" "a tar says what its files would say"
exits 1 "and ends as they would"
run check -v all.tar
has err "all.tar!tree/sub/read.me: passed over" "a member that is no record is passed over"
lacks err "hidden" "a hidden member is not looked at"
"$QIPU" check --json <all.tar >out
is "$(files)" "-!tree/01.pgn -!tree/sub/02.pgn " "a tar from standard input"
cat all.tar | "$QIPU" check --json - >out
is "$(files)" "-!tree/01.pgn -!tree/sub/02.pgn " "a tar from a pipe"

for tool in gzip xz zstd bzip2; do
    command -v $tool >/dev/null 2>&1 || continue
    $tool -c <good.pgn >good.pgn.$tool
    run check --json good.pgn.$tool
    is "$code $(files)" "0 good.pgn.$tool!good.pgn " "$tool: one file"
    $tool -c <all.tar >all.tar.$tool
    run check --json all.tar.$tool
    is "$(files)" "all.tar.$tool!tree/01.pgn all.tar.$tool!tree/sub/02.pgn " "$tool: a tar"
    cat all.tar.$tool | "$QIPU" check --json >out
    is "$(files)" "-!tree/01.pgn -!tree/sub/02.pgn " "$tool: a tar from a pipe"
done

# Archives in archives, and 7z, which has its index at its end.
pack=$top_builddir/tests/cli/pack
"$pack" 7zip some.7z 7/a.pgn=good.pgn 7/b.pgn=bad.pgn
ok $? "a 7z is made"
run check --json some.7z
is "$(files)" "some.7z!7/a.pgn some.7z!7/b.pgn " "7z"
cat some.7z | "$QIPU" check --json >out
is "$(files)" "-!7/a.pgn -!7/b.pgn " "a 7z from a pipe"
"$pack" zip nested.zip a.gz=good.pgn.gz b.7z=some.7z c.tar=all.tar d.pgn=good.pgn
run check --json nested.zip
is "$(files)" "nested.zip!a.gz!a nested.zip!b.7z!7/a.pgn nested.zip!b.7z!7/b.pgn \
nested.zip!c.tar!tree/01.pgn nested.zip!c.tar!tree/sub/02.pgn nested.zip!d.pgn " \
    "what is packed in an archive is read through"
"$pack" 7zip in.7z nested.zip=nested.zip
gzip -c in.7z >in.7z.gz
run check --json in.7z.gz
is "$(files | tr ' ' '\n' | head -n 1)" "in.7z.gz!in.7z!nested.zip!a.gz!a" "four deep"
"$pack" zip deep.zip in.gz=in.7z.gz
run check deep.zip
has out "deep.zip!in.gz!in!nested.zip!a.gz: error: .*file-limit" "and no deeper"
run convert -q -t iccs -o packed/ nested.zip
is "$(ls packed | tr '\n' ' ')" "01.iccs 02.iccs a-2.iccs a.iccs b.iccs d.iccs " \
    "an output per record"
head -c 90 some.7z >cut.7z
run check cut.7z
is "$code $(grep -c 'cut.7z: error: .*file-corrupt' out)" "1 1" "a 7z that is cut"
head -c 90 some.7z | "$QIPU" check - >out
is "$(grep -c -e '-: error: .*file-corrupt' out)" 1 "and from a pipe"

# Outputs.
run convert -q -t iccs -o each/ all.tar good.pgn.gz
is "$(ls each | tr '\n' ' ')" "01.iccs 02.iccs good.iccs " "-o folder/: an output per member"
run convert -q -t iccs all.tar good.pgn.gz
is "$(lines out)" 3 "several members, one output"
mkdir walk
cp all.tar walk
good_game >walk/z.pgn
run convert -q -r -t pgn -o walk/made/ walk
is "$(ls walk/made | tr '\n' ' ')" "01.pgn 02.pgn z.pgn " "a walk looks into archives"

# What is wrong with an archive.
mkdir none
echo "nothing of the kind" >none/read.me
tar cf none.tar none
run check none.tar
is "$code $(grep -c 'no-game' out)" "1 1" "an archive without a record"
cp none.tar none
rm none/read.me
run check -r none
is "$code $(cat out)" "0 " "is passed over in a walk"
{
    good_game
    awk 'BEGIN { srand(1); for (i = 0; i < 40000; i++) print "% " rand() }'
} | gzip -c | head -c 100000 >cut.gz
run check cut.gz
is "$code $(grep -c 'cut.gz!cut: .*file-corrupt' out)" "1 1" "a compressed file that is cut"
run convert -q -t iccs -o bad/ cut.gz all.tar
is "$(ls bad | tr '\n' ' ')" "01.iccs 02.iccs cut.iccs " "does not keep others from being written"
printf 'PK\003\004 and no more' >fake.zip
run check fake.zip
is "$code $(grep -c 'error: .*file-corrupt' out) $(lines err)" "1 1 1" "a zip that is none"
printf 'BZh, 1. \n1. 炮二平五 马8进7\n' >text.txt
run check text.txt
is "$code $(cat err)" "0 1 game, 2 plies: 0 errors, 0 warnings" "text that begins like an archive"
{
    printf '1. 炮二平五 {'
    head -c 90000000 /dev/zero | tr '\0' ' '
} | gzip -9 >bomb.gz
run check bomb.gz
is "$code $(grep -c 'bomb.gz: error: .*file-limit' out)" "1 1" "what grows without end is left"

gzip -c bomb.gz >bomb.gz.gz
run check bomb.gz.gz
is "$code $(grep -c 'bomb.gz.gz: error: .*file-limit' out)" "1 1" "and packed twice"

# What comes out in all: here of a program that takes 20,000 bytes.
small=$top_builddir/tests/cli/qipu-small
mkdir many
for i in 1 2 3 4; do
    {
        good_game
        awk 'BEGIN { for (i = 0; i < 800; i++) printf "%% %7d\n", i }' # 8,000 bytes
    } >many/$i.pgn
done
tar cf two.tar many/1.pgn many/2.pgn
tar cf four.tar many/1.pgn many/2.pgn many/3.pgn many/4.pgn
code=0
"$small" check --json two.tar >out || code=$?
is "$code $(grep -c 'file-limit' out)" "0 0" "an archive below the limit of all that comes out"
code=0
"$small" check --json four.tar >out || code=$?
is "$code $(grep -c '"file":"four.tar".*"file-limit"' out)" "1 1" "one above it is left"
is "$(files)" "four.tar!many/1.pgn four.tar!many/2.pgn four.tar!many/3.pgn " \
    "within the member that reaches the limit"
run check four.tar
is "$code $(grep -c 'file-limit' out)" "0 0" "which is far away"
# In archives that stand in one it is counted together.
gzip -c two.tar >one.tar.gz
cp one.tar.gz other.tar.gz
tar cf around.tar one.tar.gz other.tar.gz
code=0
"$small" check --json around.tar >out || code=$?
is "$code $(grep -c '"file":"around.tar".*"file-limit"' out)" "1 1" \
    "archives in an archive are counted together"

if command -v python3 >/dev/null 2>&1; then
    # Names in GBK with nothing that says so, in UTF-8 with the flag, and out of the folder.
    python3 - <<'END'
import zipfile
game = "1. 炮二平五 马8进7\n".encode()
with zipfile.ZipFile("names.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("QQQQ/1.txt", game)
    z.writestr("棋局/2.txt", game)
    z.writestr("../../3.txt", game)
data = open("names.zip", "rb").read().replace(b"QQQQ", "棋谱".encode("gbk"))
open("names.zip", "wb").write(data)
END
    run check --json names.zip
    is "$(files)" "names.zip!棋谱/1.txt names.zip!棋局/2.txt names.zip!../../3.txt " \
        "names in GBK and UTF-8"
    cat names.zip | "$QIPU" check --json >out
    is "$(files)" "-!棋谱/1.txt -!棋局/2.txt -!../../3.txt " "a zip from a pipe"
    run convert -q -t iccs -o deep/ names.zip
    is "$(ls deep | tr '\n' ' ') $(ls ../3.* 3.* 2>/dev/null)" "1.iccs 2.iccs 3.iccs  " \
        "outputs stay in their folder"
fi
done_testing
