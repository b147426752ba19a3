# bench/stages.awk: adds up what callgrind counted, by stage: the floor of the library whose
# file an instruction comes from, inlined code by where it is written. Prints "STAGE COUNT"
# lines; "own" is all code of the program and its library, which is the same on every machine
# for the same compiler, "libraries" the rest.

function stage_of(path) {
    if (path ~ /\/lib\/text\//) return "decode"
    if (path ~ /\/lib\/grammar\// || path ~ /\/notation\/lex/ || path ~ /\/notation\/context/)
        return "lex"
    if (path ~ /\/lib\/notation\//) return "notation"
    if (path ~ /\/lib\/rules\//) return "rules"
    if (path ~ /\/lib\/game\//) return "game"
    if (path ~ /\/lib\/check\//) return "checks"
    if (path ~ /\/lib\/format\/.*(_write|writer|walk)\.c/) return "write"
    if (path ~ /\/lib\/format\//) return "read"
    if (path ~ /\/lib\/base\//) return "base"
    if (path ~ /\/tools\//) return "program"
    return ""
}

# Names are given once and then by their number: "(3) name", "(3)".
function name_of(text, names,    id) {
    id = text
    sub(/\).*/, ")", id)
    sub(/^[^)]*\) ?/, "", text)
    if (text != "") names[id] = text
    return names[id]
}

/^ob=/ { own = name_of(substr($0, 4), objects) ~ /\/qipu$/; next }
/^f[lie]=/ { file = name_of(substr($0, 4), files); next }
/^cfi=|^cfl=/ { name_of(substr($0, 5), files); next }
/^cob=/ { name_of(substr($0, 5), objects); next }
/^calls=/ { getline; next } # the line behind it is the cost of what was called
/^[+*0-9-]/ {
    if (!own) { count["libraries"] += $2; next }
    count["own"] += $2
    stage = stage_of(file)
    count[stage != "" ? stage : "base"] += $2
}
END { for (stage in count) printf "%s %d\n", stage, count[stage] }
