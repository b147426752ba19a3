#!/bin/sh
# fuzz/endless.sh: inputs that say one thing a hundred thousand times over and never close
# what they open. Reading them takes time and memory in proportion: each is checked and
# converted within seconds (20, for slow machines; a fraction of one is usual).
. "$top_srcdir/tests/tap.sh"
command -v timeout >/dev/null 2>&1 || skip_all "no timeout"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/qipu-endless.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# endless NAME TIMES BEFORE REPEATED: \n is a line end.
endless() {
    printf "$3" >"$tmp/$1"
    printf "$4" >"$tmp/one"
    awk -v times="$2" 'BEGIN { RS = "\001" } { text = $0 }
        END { while (times-- > 0) printf "%s", text }' "$tmp/one" >>"$tmp/$1"
    for command in 'check --json' 'convert -q -t json' 'convert -q -t pgn'; do
        # shellcheck disable=SC2086 # a command and its options
        timeout 20 "$QIPU" $command "$tmp/$1" >/dev/null 2>&1
        status=$?
        [ "$status" -le 1 ]
        ok $? "qipu $command $1: exit $status"
    done
}

pgn='[Event "x"]\n\n1. 炮二平五 '
endless open.pgn 300000 "$pgn" '('
endless close.pgn 300000 "$pgn" ')'
endless open-moves.pgn 60000 "$pgn" '(炮二平五 '
endless wide-open.txt 100000 '1. 炮二平五 ' '（'
endless braces.pgn 300000 "$pgn" '{'
endless comments.pgn 100000 "$pgn" '{a} '
endless variations.pgn 60000 "$pgn" '(1. 炮八平五) '
endless nested.pgn 30000 "$pgn马8进7 " '(1... 马2进3 2. 马二进三 '
endless bad.pgn 80000 '[Event "x"]\n\n' '炮二平九 '
endless results.pgn 100000 '[Event "x"]\n\n' '1-0 '
endless glyphs.pgn 100000 "$pgn" '$1 '
endless tags.pgn 80000 '' '[Event "x"]\n'
endless tags-open.pgn 80000 '' '[Event "x\n'
endless digits.txt 300000 '' '1'
endless words.txt 200000 '' 'abc '
endless glued.txt 30000 '1.' '炮二平五炮8平5炮五平二炮5平8'
endless rounds.txt 30000 '' '1. 马八进七 马8进7 2. 马七退八 马7退8 '
endless headers.txt 80000 '1. 炮二平五 马8进7\n' '\n赛事: x\n'
endless arrays.json 300000 '' '['
endless objects.json 100000 '' '{"a":'
endless variations.json 30000 '{"line":[{"move":"h2e2","variations":' '[[{"move":"b2e2","variations":'
endless elements.xml 100000 '<qipu version="1"><game><line>' '<m>'
endless less.xml 300000 '' '<'
endless nodes.pfc 60000 '<n version="2" win="*" m="x">' '<n m="h2e2">'
endless fields.dhtmlxq 60000 '[DhtmlXQ]' '[DhtmlXQ_title]'
endless moves.dhtmlxq 100000 '[DhtmlXQ][DhtmlXQ_movelist]' '7747'
endless slashes.fen 300000 '' '/'
endless comments.wxf 200000 'FORMAT\tWXF\nSTART{\n' '/*'
done_testing
