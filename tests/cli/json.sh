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
               "detail": str, "variation": int, "note": str, "missing": int, "count": int}
GAME = {"type": str, "file": str, "game": int, "plies": int, "legal": bool, "fen": str,
        "end": str, "result": str, "verdict": str}
SUMMARY = {"type": str, "games": int, "plies": int, "errors": int, "warnings": int}
INFO = {"type": str, "file": str, "game": int, "format": str, "encoding": str,
        "notation": str, "plies": int, "nodes": int, "variations": int, "comments": int,
        "result": str, "tags": dict}
FORMAT = {"type": str, "name": str, "title": str, "suffixes": list, "reads": bool,
          "writes": bool, "experimental": bool, "holds": list}
NOTATION = {"type": str, "name": str, "title": str, "writes": bool}
SHAPES = {"finding": (FINDING, FINDING_MAY), "game": (GAME, {"skipped": bool, "reason": str, "loop": dict, "limit": dict}),
          "summary": (SUMMARY, {}), "info": (INFO, {}), "format": (FORMAT, {}),
          "notation": (NOTATION, {})}
VERDICTS = ("none", "draw", "red-loses", "black-loses", "red-must-change", "black-must-change",
            "needs-arbiter")
LOOP = {"ruleset": str, "start_ply": int, "period": int, "passes": int, "occurrences": int,
        "state": str, "plies": list, "red": dict, "black": dict, "tends": str, "grade": str,
        "doubts": list, "bounds": dict}
LOOP_MAY = {"mixed": bool, "returns": list, "possible": list}
POSITION = {"type": str, "ply": int, "fen": str, "to_move": str, "check": bool, "end": str}
POSITION_MAY = {"file": str, "game": int, "variation": int, "round": int, "side": str,
                "move": str, "text": str}
LOOP_PLY = {"ply": int, "move": str, "side": str, "class": str}
LOOP_PLY_MAY = {"doubtful": bool, "by_checks": bool, "pairs": list, "doubts": list}
LIMIT = {"plies_since_capture": int, "start_ply": int, "end_ply": int, "red": dict,
         "black": dict, "draw_by_count": bool}
LIMIT_SIDE = {"plies": int, "checks": int, "counted": int, "claim_ok": bool}


def shape_of(row, must, may, line):
    for key, kind in must.items():
        assert type(row[key]) is kind, (key, line)
    for key, value in row.items():
        assert type(value) is {**must, **may}.get(key), (key, line)


SHAPES["position"] = (POSITION, POSITION_MAY)
seen = {}
for line in sys.stdin.buffer:
    row = json.loads(line.decode("utf-8"))
    shape_of(row, *SHAPES[row["type"]], line)
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
        assert row["verdict"] in VERDICTS, line
        assert (row["verdict"] != "none") == ("reason" in row), line
        if "loop" in row:
            loop = row["loop"]
            shape_of(loop, LOOP, LOOP_MAY, line)
            assert set(loop["bounds"]) == {"kill_checks", "win_checks"}, line
            assert ("possible" in loop) == (loop["grade"] == "needs-arbiter"), line
            assert set(loop.get("possible", [])) <= set(VERDICTS), line
            assert len(loop.get("returns", [])) == loop["occurrences"] * ("mixed" in loop), line
            plies = [ply["ply"] for ply in loop["plies"]]
            first = loop["start_ply"] + 1
            assert plies == list(range(first, first + loop["period"])), line
            for ply in row["loop"]["plies"]:
                shape_of(ply, LOOP_PLY, LOOP_PLY_MAY, line)
                assert ply["class"] in ("check", "kill", "chase", "idle"), line
                assert set(ply.get("doubts", [])) <= set(loop["doubts"]), line
            for side in "red", "black":
                shape_of(row["loop"][side], {"forbidden": bool, "name": str}, {}, line)
        if "limit" in row:
            shape_of(row["limit"], LIMIT, {"uncertain": bool}, line)
            for side in "red", "black":
                shape_of(row["limit"][side], LIMIT_SIDE, {"claim_ply": int}, line)
    seen[row["type"]] = seen.get(row["type"], 0) + 1
print(" ".join(f"{k}:{seen[k]}" for k in sorted(seen)))
END
shape() { # shape FILE TYPES NAME
    is "$(python3 shape.py <"$1" 2>&1 | tail -n 1 | sed 's/finding:[0-9]*/finding/')" "$2" "$3"
}
run check --json good.pgn two.pgn third.pgn empty.pgn
shape out "finding game:4 summary:1" "check --json"
rook="3k5/R8/9/9/9/9/9/9/9/4K4 w - - 100 1"
pass="a8a9 d9d8 a9a8 d8d9"
printf '%s\t%s %s %s %s\n' "$rook" "$pass" "$pass" "$pass" "$pass" >loop.iccs
printf '%s\t%s %s\n' "$rook" "$pass" "$pass" >>loop.iccs
run check --json loop.iccs
shape out "finding game:2 summary:1" "check --json of a loop"
sed -n 's/.*"type":"game".*"verdict":"\([a-z-]*\)".*/\1/p' out >verdicts
is "$(tr '\n' ' ' <verdicts)" "red-loses none " "verdicts by the usual rules"
run check --json --rules engine-3fold loop.iccs
sed -n 's/.*"type":"game".*"verdict":"\([a-z-]*\)","reason":"\([a-z-]*\)".*/\1 \2/p' out >verdicts
is "$(tr '\n' ';' <verdicts)" "red-loses perpetual-check;red-loses perpetual-check;" \
    "verdicts by the rules of engines"
grep -c '"limit":{' out >limits
is "$(cat limits)" 0 "uncounted checks keep the limit from engines"
run check --json --rules axf loop.iccs
is "$(grep -c '"code":"move-limit"' out)" 2 "fifty rounds by axf"
run check --json --rules axf --limit 58 loop.iccs
is "$(grep -c '"code":"move-limit"' out)" 1 "a limit that the event has set"
run convert -t iccs --json good.pgn two.pgn third.pgn
shape err "finding game:4 summary:1" "convert --json: on standard error"
is "$(lines out)" 4 "and the games on standard output"
run convert -t iccs --json -o out.iccs good.pgn two.pgn third.pgn
shape out "finding game:4 summary:1" "convert --json -o: on standard output"
is "$(lines out.iccs) $(lines err)" "4 0" "and the games in the file"
run info --json good.pgn two.pgn third.pgn
shape out "info:4" "info --json"
run show --json --every 2 good.pgn third.pgn
shape out "finding position:6" "show --json"
run show --json "$rook"
shape out "position:1" "show --json of a position"
run formats --json
sed 's/.*"type":"\([a-z]*\)".*/\1/' out | sort -u | tr '\n' ' ' >types
is "$(cat types)" "format notation " "formats --json: both kinds"
python3 shape.py <out >/dev/null 2>&1
ok $? "formats --json: shapes"
done_testing
