# grammars/embed.awk: writes the grammar files as arrays of lines (C promises only 4095
# characters in one literal). Every byte outside printable ASCII is an octal escape.
BEGIN {
    for (i = 1; i < 256; i++)
        code[sprintf("%c", i)] = i
    print "/* made by grammars/embed.awk; do not edit */"
    print "#include \"config.h\"\n"
    print "#include \"grammar/grammar.h\"\n"
}
FNR == 1 {
    if (files > 0)
        print "};\n"
    name[++files] = FILENAME
    sub(/.*\//, "", name[files])
    printf "static const char *const file_%d[] = {\n", files
}
{
    line = ""
    n = length($0)
    for (i = 1; i <= n; i++) {
        c = substr($0, i, 1)
        if (c == "\\" || c == "\"")
            line = line "\\" c
        else if (c == "\t")
            line = line "\\t"
        else if (c == "?" || code[c] < 32 || code[c] > 126)
            line = line sprintf("\\%03o", code[c])
        else
            line = line c
    }
    printf "    \"%s\",\n", line
    lines[files]++
}
END {
    print "};\n"
    print "const qp_builtin_file qp_builtin_files[] = {"
    for (i = 1; i <= files; i++)
        printf "    {\"%s\", file_%d, %d},\n", name[i], i, lines[i]
    print "};"
    printf "const size_t qp_builtin_file_count = %d;\n", files
}
