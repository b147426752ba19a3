#!/bin/sh
# tests/cli/usage.sh: commands, options and what is said of wrong ones.
. "$top_srcdir/tests/cli/common.sh"
make_samples

# wrong PATTERN ARGUMENT…: exit 2, one line that says so, nothing on standard output.
wrong() {
    pattern=$1
    shift
    run "$@"
    got="$code $(lines err) $(lines out)"
    grep -q -e "$pattern" err || got="$got, $(cat err)"
    is "$got" "2 1 0" "wrong: qipu $*"
}

run --version
is "$code $(cat out)" "0 qipu 0.1.0" "--version"
wrong "no command"
wrong "unknown command 'chekc'; the nearest is 'check'" chekc good.pgn
wrong "unknown command 'convret'; the nearest is 'convert'" convret
wrong "unknown command 'lnt'; the nearest is 'lint'" lnt good.pgn
wrong "unknown value 'likly' of --fix; the nearest is 'likely'" lint --fix=likly good.pgn
wrong "needs --fix" lint --in-place good.pgn
wrong "needs --fix" lint -o x.txt good.pgn
wrong "goes without" lint --fix --in-place -o x.txt good.pgn
wrong "the nearest is '--version'" --versoin
wrong "unknown option '--jsno'; the nearest is '--json'" check --jsno good.pgn
wrong "unknown option '--jso'; the nearest is '--json'" check --jso good.pgn
wrong "unknown option '-R'; the nearest is '-r'" check -R good.pgn
wrong "unknown option '-x'" check -x.pgn
wrong "unknown option '-t'" check -t pgn good.pgn
wrong "takes no value" check --json=yes good.pgn
wrong "wants a value" convert -t
wrong "wants a value" convert --to
wrong "unknown format 'pgm'; the nearest is 'pgn'" convert -t pgm good.pgn
wrong "unknown format 'jsno'; the nearest is 'json'" check -f jsno good.pgn
wrong "no output format" convert good.pgn
wrong "no format has the suffix" convert -o out.zzz good.pgn
wrong "unknown notation 'chines'; the nearest is 'chinese'" convert -t pgn -n chines good.pgn
wrong "unknown encoding 'gbkk'; the nearest is 'gbk'" check -e gbkk good.pgn
wrong "unknown encoding 'utf-9'" convert -t pgn -E utf-9 good.pgn
wrong "unknown ruleset 'cxa-2010'" check --rules cxa-2010 good.pgn
wrong "unknown value 'skpi' of --on-error; the nearest is 'skip'" \
    convert -t pgn --on-error skpi good.pgn
wrong "--color" check --color sometimes good.pgn
wrong "a number" check -j many good.pgn
wrong "a number" convert -t pgn --split 0 -o x.pgn good.pgn
wrong "k/n" convert -t pgn --shard 3/2 good.pgn
wrong "k/n" convert -t pgn --shard 0/2 good.pgn
wrong "needs -o" convert -t pgn --split 1 good.pgn
wrong "is a folder" check -q .
wrong "takes no file" formats good.pgn
wrong "unknown command 'chek'" help chek

for command in check convert lint show info moves formats help; do
    run "$command" --help
    is "$code $(head -n 1 out | cut -c 1-$((12 + ${#command})))" "0 usage: qipu $command" \
        "qipu $command --help"
    cp out synopsis
    run help "$command"
    exits 0 "qipu help $command"
    tr -s '\n ' ' ' <out >flat
    has flat "$(tr -s '\n ' ' ' <synopsis | sed 's/[][|.]/\\&/g; s/ $//')" \
        "help $command holds the synopsis"
done
run help
for command in check convert lint show info moves formats help; do
    has out "^  $command  " "help lists $command"
done

# Options in any order, glued, with = and after files.
run check good.pgn --json
cp out spread
run check --json -- good.pgn
is "$(cat out)" "$(cat spread)" "options may follow files"
run convert -qtpgn good.pgn
cp out glued
run convert -q --to=pgn good.pgn
is "$code $(cat out)" "0 $(cat glued)" "glued and long options mean the same"
for rules in cxa-1999 cxa-2007 cxa-2011 cxa-2020 axf wxf-2018 engine-3fold; do
    run check -q --rules $rules good.pgn
    exits 0 "--rules $rules is known"
done
run check -q -j 0 good.pgn
exits 0 "-j 0 is taken"

# Names that look like options.
cp good.pgn ./-x.pgn
cp good.pgn ./--json
run check -q -- -x.pgn --json
is "$code $(cat out err)" "0 " "-- ends the options"
run check -q ./-x.pgn
exits 0 "a path before the dash"
run check -x.pgn good.pgn
is "$code $(cat out)" "2 " "a name with a dash reads nothing"
done_testing
