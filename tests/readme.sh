#!/bin/sh
# tests/readme.sh: the transcripts of README.md are what the program says. A transcript is an
# indented block; its lines with a dollar are commands, the others what they print.
. "$top_srcdir/tests/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$QIPU" "$work/bin/qipu"
cp -R "$top_srcdir/corpora" "$work/corpora"
chmod -R u+w "$work/corpora"
cd "$work" || exit 1
PATH=$work/bin:$PATH

awk -v work="$work" '
    /^    \$ qipu / { n++; print substr($0, 7) > (work "/command." n); inside = 1; next }
    /^    / && inside { print substr($0, 5) > (work "/wanted." n); next }
    { inside = 0 }' "$top_srcdir/README.md"
n=1
while [ -f "command.$n" ]; do
    touch "wanted.$n"
    sh "./command.$n" >said 2>&1
    is "$(cat said)" "$(cat "wanted.$n")" "$(cat "command.$n")"
    n=$((n + 1))
done
[ $n -gt 1 ]
ok $? "README.md has a transcript"
done_testing
