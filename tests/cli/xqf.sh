#!/bin/sh
# tests/cli/xqf.sh: a binary format from outside: versions, one game a file, places of
# findings.
. "$top_srcdir/tests/cli/common.sh"
printf '[Red "Lu"]\n\n1. 炮二平五 {one} (1. 兵七进一) 马8进7 2. 炮八平九 1-0\n' >one.pgn
{ cat one.pgn; echo; cat one.pgn; } >two.pgn
byte() {
    od -A n -t u1 -j "$2" -N 1 "$1" | tr -d ' '
}

run convert --werror -o one.xqf one.pgn
is "$code $(cat err)" "0 " "the suffix names the format, and nothing is lost"
is "$(byte one.xqf 2)" 10 "version 10 is the usual one"
run convert -t xqf --format-version 18 -o new.xqf one.pgn
is "$(byte new.xqf 2)" 18 "--format-version 18"
for file in one.xqf new.xqf; do
    run info --json "$file"
    has out '"format":"xqf","encoding":"gb18030","notation":"iccs","plies":3,"nodes":4,"variations":1,"comments":1,"result":"1-0","tags":{"Red":"Lu"}' \
        "$file is read"
done
run convert -t xqf --format-version 12 one.pgn
is "$code $(cat err)" "2 qipu convert: format 'xqf' has no version 12 to write" "no other"
run convert -t pgn --format-version 10 one.pgn
exits 2 "pgn has none"

run convert -q -t xqf -o two.xqf two.pgn
is "$code $(grep -c '\[loss\]' err)" "0 1" "a second game finds no place, and it is said"
run convert -q -t xqf --split 1 -o part.xqf two.pgn
is "$code $(ls part-*)" "0 part-0001.xqf
part-0002.xqf" "--split 1 gives each its file"

# The third ply becomes b2a0, and the file is cut within it.
printf '\040' | dd of=one.xqf bs=1 seek=1054 conv=notrunc 2>/dev/null
run check one.xqf
has out '^one.xqf: error: ' "no line is told"
has out '^      = at ply 3 b2a0, byte 1053$' "but the ply and the byte"
dd if=new.xqf of=cut.xqf bs=1 count=1041 2>/dev/null
run check cut.xqf
has out '\[file-truncated\]' "a cut file is told"
has out '^      = at byte 10[0-9]*$' "with its place"
exits 1 "and an error"
done_testing
