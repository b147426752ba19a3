#!/bin/sh
# tests/cli/lint.sh: qipu lint on cards with one fault each, and what --fix makes of them.
. "$top_srcdir/tests/cli/common.sh"

sound='1. 炮二平五 马8进7
2. 马二进三 车9平8
3. 车一平二 马2进3
4. 兵七进一 卒7进1
5. 车二进六 炮8平9
6. 车二平三 炮9退1
7. 马八进七 士4进5
8. 马七进六 炮9平7
9. 车三平四 马7进8
10. 马三退五 车8进1'
printf '%s\n' "$sound" >sound.txt

run lint sound.txt
is "$code $(lines out) $(cat err)" "0 0 1 game, 20 plies: 0 errors, 0 warnings" "a sound card"
run lint --fix -q sound.txt
is "$code $(cat out)" "0 $sound" "and nothing to mend in it"

# Fewer moves than any search wants.
printf '1. 炮二平五\n' >short.txt
run lint --fix -q short.txt
is "$code $(cat out)" "0 1. 炮二平五" "a card of one move"
printf '1. 炮二平五 马8进9 2. 马二进五\n' >short.txt
run lint --fix=likely -q short.txt
is "$code $(cat out)" "1 1. 炮二平五 马8进9 2. 马二进三" "and of three"

# What is missing before the first round goes behind its number, not before the tags.
printf '[Red "a"]\n[FEN "3k5/9/9/9/9/9/9/9/9/R3K3R w"]\n\n1. 车一进八 将4平5 2. 车九平四 *\n' \
    >start.pgn
run lint --fix=likely -q start.pgn
is "$(head -n 1 out)" '[Red "a"]' "nothing is put before the tags"

# A result that the board decides is written where one stands, or behind the last move.
mate='[FEN "3k5/9/9/9/9/9/9/R8/9/4K4 w - - 0 1"]'
printf '[Result "*"]\n%s\n\n1. 车九平六 *\n' "$mate" >mate.pgn
run lint --fix -q mate.pgn
is "$(head -n 1 out) $(tail -n 1 out)" '[Result "1-0"] 1. 车九平六 1-0' "the result of a mate"
printf '[Result "黑胜"]\n%s\n\n1. 车九平六 *\n' "$mate" >mate.pgn
run lint --fix=likely -q mate.pgn
is "$(head -n 1 out) $(tail -n 1 out)" '[Result "红胜"] 1. 车九平六 1-0' "a wrong one and an open end"
printf '[Result ""]\n%s\n\n1. 车九平六 {a} (1. 车九平八 *) *\n' "$mate" >mate.pgn
run lint --fix -q mate.pgn
is "$(head -n 1 out) $(tail -n 1 out)" '[Result "1-0"] 1. 车九平六 {a} (1. 车九平八 *) 1-0' \
    "an empty one, and the end of a variation"
printf '[Result "0-1"]\n%s\n\n1. 车九平六 0-1\n' "$mate" >mate.pgn
run lint --fix -q mate.pgn
is "$(head -n 1 out)" '[Result "0-1"]' "a wrong one stays without a word"
run lint --fix=likely -q mate.pgn
is "$(head -n 1 out) $(tail -n 1 out)" '[Result "1-0"] 1. 车九平六 1-0' "or goes, in both places"
printf '%s\n\n1. 车九平六 {将死} (1. 车九平八)\n' "$mate" >mate.pgn
run lint --fix -q mate.pgn
is "$(tail -n 1 out)" "1. 车九平六 {将死} (1. 车九平八) 1-0" "behind the last move"

# mends NAME CODE SED: the sound card with a fault that sed makes; lint finds the code, and
# --fix=likely gives the sound card back; to mend that again changes nothing.
mends() {
    sed "$3" sound.txt >card.txt
    run lint -q card.txt
    has out "\[$2\]" "$1: found"
    exits 1 "$1: exit"
    run lint -q --fix=likely card.txt
    is "$(cat out)" "$sound" "$1: mended"
    cp out again.txt
    run lint -q --fix=likely again.txt
    is "$code $(cat out)" "0 $sound" "$1: mended once and for all"
}
mends "a misread sign" move-glyph 's/炮二平五/炮二乎五/'
mends "three of them" move-glyph 's/卒7进1/卒7进l/; s/马七进六/马匕迸六/'
mends "a move of which little is right" move-glyph 's/马7进8/乌7迸8/'
mends "a lost character" move-glyph 's/士4进5/士4□5/'
mends "a missing ply of Red" move-missing 's/4\. 兵七进一 /4. /'
mends "a missing ply of Black" move-missing 's/ 车9平8//'
mends "a missing round" move-missing '2d'
mends "dots for a ply" move-missing 's/3\. 车一平二/3. ……/'
mends "a mark for a ply" move-missing 's/马8进7/？？/'
mends "a ply written twice" move-doubled 's/马2进3/马2进3 马2进3/'
mends "a ply from the other seat" move-own-piece 's/马8进7/马2进3/'
mends "a fault that shows later" move-no-piece 's/马八进七/马八进九/'
mends "columns swapped" columns-swapped 's/\([0-9]*\.\) \([^ ]*\) \(.*\)/\1 \3 \2/'

# A round twice, with numbers of its own: those behind it are set back.
{ sed -n '1,3p' sound.txt; printf '4. 车一平二 马2进3\n5. 兵七进一 卒7进1\n'; } >card.txt
run lint -q --fix=likely card.txt
is "$(cat out)" "$(sed -n '1,4p' sound.txt)" "a round written twice"

# The rest of the file stays as it was, byte for byte.
{
    printf '[Red "土匕"]\r\n\r\n; 乎\r\n1. 炮二乎五 马8进7 {土}\r\n'
    printf '2. 马二进三 车9平8 *\r\n'
} | iconv -f UTF-8 -t GBK >gbk.pgn
run lint -q --fix=likely gbk.pgn
iconv -f UTF-8 -t GBK <<END | sed "s/\$/$(printf '\r')/" >wanted
[Red "土匕"]

; 乎
1. 炮二平五 马8进7 {土}
2. 马二进三 车9平8 *
END
cmp -s out wanted
ok $? "a GBK file with CRLF stays one"

cp card.txt place.txt
run lint -q --fix=likely --in-place place.txt
is "$(cat out) $(cat place.txt)" " $(sed -n '1,4p' sound.txt)" "--in-place"
run lint -q --fix=likely -o new.txt card.txt
is "$(cat out)$(cat new.txt)" "$(sed -n '1,4p' sound.txt)" "-o"
run lint --fix=likely -q -t iccs card.txt
is "$(cut -f 2 out)" "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5" "-t"
run lint --fix=likely --json -o new.txt card.txt
has out '"code":"move-doubled"' "--json -o: findings on standard output"
run lint --fix=likely --json card.txt
has err '"code":"move-doubled"' "--json: findings on standard error"

# Two cards of one game: each fills what the other lacks.
sed '4,6d; s/炮9平7/炮9平8/' sound.txt >mine.txt
sed '2d; 10d' sound.txt >theirs.txt
run lint -q --fix=likely --against theirs.txt mine.txt
is "$(sed -n '4,6p' out)" "$(sed -n '4,6p' sound.txt)" "--against fills a gap of six plies"
run lint -q --against theirs.txt mine.txt
has out '16\|8:13.*card-differs\|move-' "and tells where the cards differ"
sed '10d' sound.txt >mine.txt
run lint -q --against sound.txt mine.txt
has out 'the other card goes on for 2 plies behind this \[move-missing\]' "and goes on"
# Each card with faults of its own.
sed '4,6d' sound.txt >mine.txt
sed 's/马7进8/乌7迸8/' sound.txt >glyph.txt
printf '%s\n' "1. 炮25 马87" "2. 马23 车98" "3. 车12 马23" "4. 兵71 卒71" "5. 车26 炮89" \
    "6. 车23 炮91" "7. 马87 士45" "8. 马76 炮97" "9. 车34 马78" "10. 马35 车81" >short.txt
awk '{ print $1, $3, $2 }' sound.txt >columns.txt
awk '{ sub(/^[0-9]+/, NR + 20); print }' sound.txt >late.txt
for other in glyph short columns late; do
    run lint -q --fix=likely --against $other.txt mine.txt
    is "$(cat out)" "$sound" "three rounds from the card of $other.txt"
done
run lint -q --against glyph.txt short.txt
is "$code $(grep -c 'move-ambiguous\|card-differs' out)" "0 0" "a short card against one that decides"
sed 's/马7进8/马7进6/' sound.txt >mine.txt
run lint -q --against glyph.txt mine.txt
has out '9:9: .*马7进8 \[card-differs\]' "a misread card differs as what it means"

run lint -q --against sound.txt sound.txt
is "$code $(cat out)" "0 " "a card against itself"
run lint --against none.txt sound.txt
exits 2 "--against a file that is not there"

# Fouls: four plies missing in a row, as the numbers tell.
sed '4,5d' sound.txt >card.txt
run lint -q card.txt
has out '4 plies are missing: 1 foul under cxa-2011 \[scorecard-foul\]' "a foul of 2011"
run lint -q --rules cxa-1999 card.txt
has out '1 foul under cxa-1999, unless time was short \[scorecard-foul\]' "a foul of 1999"
run lint -q --rules wxf-2018 card.txt
lacks out 'scorecard-foul' "no fouls where the rules have none"

# Notations and layouts that only a whole card shows: convert reads them too.
moves() {
    run convert -q -t iccs "$2"
    is "$code $(cut -f 2 out)" "0 $3" "$1"
}
opening='h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h6 h7i7'
printf '1. 炮25 马87\n2. 马23 车98\n3. 车12 马23\n4. 兵71 卒71\n5. 车26 炮89\n' >short.txt
moves "cards of 1999" short.txt "$opening"
printf '红方 黑方\n炮二五 马8 7\n马二三 车9 8\n车一二 马2 3\n兵七一 卒7 1\n车二六 炮8 9\n' >short.txt
moves "cards of 2011" short.txt "$opening"
printf '1) p2-5 m8.7\n2) m2.3 x9-8\n3) x1-2 m2.3\n4) b7.1 b7.1\n5) x2.6 p8-9\n' >vn.txt
moves "Vietnamese" vn.txt "$opening"
paste -d ' ' - - <<END >blocks.txt
1. 炮二平五 马8进7
4. 兵七进一 卒7进1
2. 马二进三 车9平8
5. 车二进六 炮8平9
3. 车一平二 马2进3
6. 车二平三 炮9退1
END
moves "blocks side by side" blocks.txt "$opening h6g6 i7i8"
printf '1. 炮二平五 马8进7\n2. 马二进三 车9平8\n3. 车12 马2进3\n4. 车21\n' >open.txt
run lint -q open.txt
is "$code $(grep error: out | cut -d ' ' -f 2-)" \
    "1 error: the direction is left out, and the moves behind it do not decide [move-ambiguous]" \
    "a short move that stays open"

printf '1. 砲二平五 马8进7\n2. 马二进三 车９平8\n3. 兵七进一 士4进5\n4. 士四进五 兵3进1\n' >dress.txt
run lint dress.txt
has out "other side's is \[notation-style\]" "another side's glyph is noted"
exits 0 "and no error"
done_testing
