#!/bin/sh
# Fills the corpora with what the project has: its rule files, examples and traces.
set -eu
cd "$(dirname "$0")"
root=../..
mkdir -p corpus/cache corpus/check corpus/hook corpus/image corpus/trace
copy() { # corpus, files…
    into=corpus/$1
    shift
    for file in "$@"; do
        cp "$file" "$into/$(echo "$file" | tr -c 'A-Za-z0-9\n' _)"
    done
}
copy check "$root"/stdlib-profiles/*.yaml "$root"/examples/*/*.yaml "$root"/tests/src/samples/*.yaml
copy trace "$root"/tests/traces/*.jsonl "$root"/tests/traces/*/*/*.jsonl "$root"/tests/src/samples/*.jsonl
copy hook "$root"/tests/hooks/*/*.json
# A byte for the entry, and one change of eight bytes of each kind; without a change, the entry is genuine.
printf '\0' >corpus/cache/genuine
printf '\3' >corpus/cache/other
for kind in 0 1 2 3 4 5 6 7 8 9; do
    printf "\0$(printf '\%03o' $kind)\020\0\0\0\020\0\001" >"corpus/cache/kind-$kind"
done
# A byte for the image, and one change of eight bytes for each section and kind of change.
for section in 1 5 7 8 9 10 11 13 16 18 19 20 24; do
    for kind in 1 3 5; do
        printf "\\0$(printf '\\%03o\\%03o' $section $kind)\\0\\0\\0\\001\\0\\0" >"corpus/image/$section-$kind"
    done
done
