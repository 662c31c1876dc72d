#!/usr/bin/env bash
# Searches for inputs that break a reader, and says for each harness how many were tried and what was found. Needs clang-14 and
# libclang-rt-14-dev; `checkpoint`, whose reader needs LibTorch, is built with GCC and AddressSanitizer and fed with random changes.
#
#   tests/fuzz/search.sh [--seconds 1200] [--build-only] [frame] [spec] [idx] [safetensors] [run_file] [checkpoint]
#
# Inputs that reach new code are kept in build/fuzz/found/NAME, so that a search can be continued: two times 600 s are 1200 s. What
# breaks a reader is in build/fuzz/broken/NAME: mend the reader and keep the file as corpus/NAME/regression-*.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=1200
is_run=1
names=()
while [ $# -gt 0 ]; do
    case $1 in
        --seconds) seconds=$2; shift ;;
        --build-only) is_run=0 ;;
        frame | spec | idx | safetensors | run_file | checkpoint) names+=("$1") ;;
        *) sed -n '2,8p' "$0" >&2; exit 2 ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(frame spec idx safetensors run_file checkpoint)

preset_of() { if [ "$1" = checkpoint ]; then echo asan; else echo fuzz; fi; }

for name in "${names[@]}"; do
    preset=$(preset_of "$name")
    [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null || exit 1
    ninja -C "build/$preset" "fuzz_$name" >"build/$preset/fuzz_$name.log" 2>&1 ||
        { tail -20 "build/$preset/fuzz_$name.log" >&2; exit 1; }
done
[ "$is_run" = 1 ] || exit 0

# Where a harness has more inputs than its own corpus, as in CMakeLists.txt.
declare -A more=([spec]=resources/presets [idx]=tests/data/bad/idx [run_file]=tests/data/runs)
status=0
for name in "${names[@]}"; do
    found=build/fuzz/found/$name
    broken=build/fuzz/broken/$name
    mkdir -p "$found" "$broken"
    program=build/$(preset_of "$name")/tests/bin/fuzz_$name
    log=build/fuzz/$name.log
    if [ "$name" = checkpoint ]; then
        ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 "$program" --mutate "$seconds" tests/fuzz/corpus/checkpoint >"$log" 2>&1
    else
        # shellcheck disable=SC2086
        "$program" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$broken/" -timeout=20 -rss_limit_mb=4096 \
            "$found" "tests/fuzz/corpus/$name" ${more[$name]:-} >"$log" 2>&1
    fi
    code=$?
    inputs=$(grep -aoE 'number_of_executed_units: +[0-9]+|[0-9]+ changed inputs' "$log" | grep -oE '[0-9]+' | tail -1)
    kept=$(find "$found" -type f | wc -l)
    echo "$name: $seconds s, ${inputs:-?} inputs, $kept kept, $(if [ $code = 0 ]; then echo nothing found; else
        echo "exit code $code: $(grep -a -m1 -E 'ERROR|SUMMARY|runtime error' "$log") ($log)"; fi)"
    [ $code = 0 ] || status=1
done
exit $status
