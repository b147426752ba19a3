# bench/inputs.sh: the inputs of the benchmarks, made by qipu-gen from seeds, the same ones
# everywhere; sourced. Wants $gen, $qipu and $tmp, the folder they are made in.

# Losses and odd tags of the input are no matter here.
convert() {
    "$qipu" convert -q "$@" >/dev/null 2>&1 || :
}

# folder NAME FORMAT FILE: each game of FILE in a file of its own.
folder() {
    mkdir -p "$tmp/$1"
    convert -t "$2" --split 1 -o "$tmp/$1/" "$3"
}

# What no writer of qipu makes: of lines of FEN, tab, moves in coordinates; the first two make
# a folder with a file for each game.
as_pfc() {
    mkdir -p "$2"
    awk -F '\t' -v folder="$2" '{
        file = folder "/" NR ".pfc"
        printf "<n version=\"2\" win=\"*\" m=\"%s\">", $1 >file
        n = split($2, move, " ")
        for (i = 1; i <= n; i++) printf "<n m=\"%s\">", move[i] >file
        for (i = 0; i <= n; i++) printf "</n>" >file
        close(file) }' "$1"
}
as_treetext() {
    mkdir -p "$2"
    awk -F '\t' -v folder="$2" '{
        file = folder "/" NR ".pgniccs"
        printf "[FEN \"%s\"]\n\n", $1 >file
        n = split($2, move, " ")
        for (i = 1; i <= n; i++) printf "%d-%s ", i - 1, move[i] >file
        close(file) }' "$1"
}
as_book() {
    awk -F '\t' '{
        n = split($2, move, " ")
        for (i = 1; i <= n; i++)
            printf "%5d%d%d%d%d%s\n", i, index("abcdefghi", substr(move[i], 1, 1)) - 1,
                9 - substr(move[i], 2, 1), index("abcdefghi", substr(move[i], 3, 1)) - 1,
                9 - substr(move[i], 4, 1), move[i]
        printf "    00000\n       1       1 1.000000\n" }' "$1"
}
as_dpxq() {
    awk '/^\[Event "/ { printf "标题: %s\n【主变: …】\n", substr($0, 9, length($0) - 10) }
        !/^\[/ { sub(/ [0-9/]+-[0-9/]+$/, ""); print }' "$1"
}
