#!/bin/sh
# man/losses.sh [--update]: the table of qipu-formats(7) that says what each format holds, made
# from `qipu formats --json` of the program that QIPU names. --update puts it into the page.
page=$(dirname "$0")/qipu-formats.7
table() {
    "${QIPU:-qipu}" formats --json | awk '
        function has(word) { return index(holds, "\"" word "\"") != 0 }
        function held(what) {
            if (what == "counters" && has("round"))
                return "round"
            if (what == "illegal")
                return has("unreadable") ? "yes" : has("squares") ? "squares" : \
                    has("comments") || has("notation") ? "comment" : "-"
            return has(what) ? "yes" : "-"
        }
        # As wide as the head of its column.
        function cell(word, text) { return sprintf(" %-" length(word) "s", text) }
        BEGIN {
            columns = split("moves variations comments nags start counters result clocks illegal", column, " ")
            printf "%-8s tags", "format"
            for (i = 1; i <= columns; i++)
                printf " %s", column[i]
            print ""
        }
        /"type":"format"/ {
            name = $0
            sub(/.*"name":"/, "", name)
            sub(/".*/, "", name)
            holds = $0
            sub(/.*"holds":/, "", holds)
            line = sprintf("%-8s", name) \
                cell("tags", has("tags") ? "all" : has("few-tags") ? "few" : "-")
            for (i = 1; i <= columns; i++)
                line = line cell(column[i], held(column[i]))
            print line
        }' | sed 's/ *$//'
}
if [ "${1-}" != --update ]; then
    table
    exit
fi
table >"$page.table" || exit 1
awk -v table="$page.table" '
    /^\.\\" end of the table$/ { inside = 0 }
    !inside { print }
    /^\.\\" table, by man\/losses\.sh$/ {
        inside = 1
        print ".Bd -literal"
        while ((getline line <table) > 0)
            print line
        print ".Ed"
    }' "$page" >"$page.new" && mv "$page.new" "$page"
rm -f "$page.table" "$page.new"
