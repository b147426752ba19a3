#!/bin/sh
# tests/cli/xml-schema.sh: what is written as XML keeps to grammars/qipu.rng.
. "$top_srcdir/tests/tap.sh"
(xmllint --version) >/dev/null 2>&1 || skip_all "xmllint was not found"
"$QIPU" --version 2>/dev/null | grep -q qipu || skip_all "the program was not built"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
schema=$top_srcdir/grammars/qipu.rng

valid() { # valid NAME: $work/in.json as XML
    "$QIPU" convert -q -f json -t xml "$work/in.json" >"$work/out.xml" 2>/dev/null
    xmllint --noout --relaxng "$schema" "$work/out.xml" >"$work/log" 2>&1
    status=$?
    ok $status "$1"
    [ $status -eq 0 ] || sed 's/^/# /' "$work/log"
}

cat >"$work/in.json" <<'JSON'
{"tags":{},"line":[]}
JSON
valid "a game without anything"

cat >"$work/in.json" <<'JSON'
{"tags":{"Event":"<&> \"x\"","Red":""},"start":"4k4/9/9/9/9/9/9/9/4p4/3K5 b - - 7 31","result":"1-0","comment":"c","line":[{"move":"e1d1"}]}
{"tags":{},"result":"*","line":[{"move":"h2e2","text":"炮二平五","nags":[1,65535],"clock":"0:01:30","comment":"a\n\nb","comments":["a\n","b"],"variations":[[{"move":"b2e2","before":"first"},{"move":"h9g7"}],[{"move":"c3c4","comment":""}]]},{"move":"h9g7"}]}
JSON
valid "tags, start, result, comments, variations"

cat >"$work/in.json" <<'JSON'
{"tags":{"a\tb":"\u0001\u0000\u007f"},"line":[{"move":"a9a5","text":"\r\n<","illegal":true},{"text":"xyzzy","rest":"xyzzy ]]>"},{"text":""}]}
JSON
valid "plies that cannot be, and characters that XML lacks"

cat >"$work/in.json" <<'JSON'
{"tags":{},"line":[
JSON
valid "a game that breaks off"

cat >"$work/bad.xml" <<'XML'
<qipu version="1"><game><line><move squares="h2e2"/></line></game></qipu>
XML
! xmllint --noout --relaxng "$schema" "$work/bad.xml" >/dev/null 2>&1
ok $? "the schema refuses what it does not know"

missing=$(awk '/<element name=/ { name = $0; getline; if (!/a:documentation/) print name }' \
    "$schema")
is "$missing" "" "each element of the schema is explained"
done_testing
