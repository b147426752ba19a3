# tests/tap.sh: the few words that shell tests speak TAP with. Source it; end with `done_testing`.
tap_count=0
tap_failed=0
ok() { # ok STATUS NAME
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
    fi
}
is() { # is GOT WANTED NAME
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '%s\n' "$2" | sed 's/^/#   wanted: /'
        printf '%s\n' "$1" | sed 's/^/#      got: /'
    fi
}
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
done_testing() {
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ]
}
