#!/bin/sh
# tests/cli/json.sh: every JSON line is an object with the promised members.
. "$top_srcdir/tests/cli/common.sh"
command -v python3 >/dev/null 2>&1 || skip_all "python3 was not found"
make_samples
printf '[Red "a \\"b\\" \\\\ \t"]\n\n1. 炮二平五 (1. 马二进四) 马8进7 {x}\n*\n' >third.pgn

cat >shape.py <<'END'
"""Checks each line of standard input against the shapes of the page qipu(1)."""
import json, sys
FINDING = {"type": str, "file": str, "game": int, "ply": int, "code": str, "severity": str,
           "token": str, "message": str, "suggestions": list}
FINDING_MAY = {"line": int, "column": int, "byte": int, "round": int, "side": str, "fen": str,
               "detail": str, "variation": int, "note": str, "missing": int}
GAME = {"type": str, "file": str, "game": int, "plies": int, "legal": bool, "fen": str,
        "end": str, "result": str, "verdict": str}
SUMMARY = {"type": str, "games": int, "plies": int, "errors": int, "warnings": int}
INFO = {"type": str, "file": str, "game": int, "format": str, "encoding": str,
        "notation": str, "plies": int, "nodes": int, "variations": int, "comments": int,
        "result": str, "tags": dict}
FORMAT = {"type": str, "name": str, "title": str, "suffixes": list, "reads": bool,
          "writes": bool, "experimental": bool, "holds": list}
NOTATION = {"type": str, "name": str, "title": str, "writes": bool}
SHAPES = {"finding": (FINDING, FINDING_MAY), "game": (GAME, {"skipped": bool}),
          "summary": (SUMMARY, {}), "info": (INFO, {}), "format": (FORMAT, {}),
          "notation": (NOTATION, {})}
seen = {}
for line in sys.stdin.buffer:
    row = json.loads(line.decode("utf-8"))
    must, may = SHAPES[row["type"]]
    for key, kind in must.items():
        assert type(row[key]) is kind, (key, line)
    for key, value in row.items():
        assert type(value) is {**must, **may}.get(key), (key, line)
    if row["type"] == "finding":
        assert row["severity"] in ("error", "warning", "note"), line
        for s in row["suggestions"]:
            assert set(s) <= {"replace", "iccs", "certainty"}, line
            assert s["certainty"] in ("certain", "likely", "possible"), line
        if row["ply"]:
            assert "round" in row, line
    if row["type"] == "game":
        assert row["end"] in ("none", "checkmate", "stalemate"), line
        assert len(row["fen"].split()) == 6, line
        assert row["verdict"] == "none", line
    seen[row["type"]] = seen.get(row["type"], 0) + 1
print(" ".join(f"{k}:{seen[k]}" for k in sorted(seen)))
END
shape() { # shape FILE TYPES NAME
    is "$(python3 shape.py <"$1" 2>&1 | tail -n 1 | sed 's/finding:[0-9]*/finding/')" "$2" "$3"
}
run check --json good.pgn two.pgn third.pgn empty.pgn
shape out "finding game:4 summary:1" "check --json"
run convert -t iccs --json good.pgn two.pgn third.pgn
shape err "finding game:4 summary:1" "convert --json: on standard error"
is "$(lines out)" 4 "and the games on standard output"
run convert -t iccs --json -o out.iccs good.pgn two.pgn third.pgn
shape out "finding game:4 summary:1" "convert --json -o: on standard output"
is "$(lines out.iccs) $(lines err)" "4 0" "and the games in the file"
run info --json good.pgn two.pgn third.pgn
shape out "info:4" "info --json"
run formats --json
sed 's/.*"type":"\([a-z]*\)".*/\1/' out | sort -u | tr '\n' ' ' >types
is "$(cat types)" "format notation " "formats --json: both kinds"
python3 shape.py <out >/dev/null 2>&1
ok $? "formats --json: shapes"
done_testing
