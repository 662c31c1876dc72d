# shellcheck shell=bash
# Sourced by packaging/setup.sh: builds and runs tests, and says about how long that still takes.

# Sets $seconds to what a step of ninja's takes on one slow core, roughly: only the proportions matter once a build has begun.
guess_seconds() {
    case $1 in
    *cmake_pch.hxx*) seconds=20 ;;
    *tests/*unity_*) seconds=8 ;;
    *core/engine/CMakeFiles*unity_*) seconds=25 ;;
    *unity_*) seconds=18 ;;
    *tests/*.cpp.o*) seconds=6 ;;
    *.o) seconds=4 ;;
    *) seconds=1 ;;
    esac
}

# Sets $part to a word for what a step builds.
name_part() {
    case $1 in
    *tests/*) part="the tests" ;;
    *core/engine/*) part="the training engine" ;;
    *core/* | *app/*) part="the core" ;;
    *ui/*) part="the window" ;;
    *) part="helpers" ;;
    esac
}

in_words() {
    if [ "$1" -ge 90 ]; then printf 'about %d min left' $((($1 + 30) / 60)); else printf 'about %d s left' "$1"; fi
}

# Sets $total to the guessed seconds of everything that ninja would do in the folder with the rest of its arguments.
guess_total() {
    local line seconds
    total=0
    while IFS= read -r line; do
        guess_seconds "$line"
        total=$((total + seconds))
    done < <(NINJA_STATUS='@ ' ninja -C "$@" -n 2>/dev/null | grep '^@ ')
}

# build_with_progress FOLDER JOBS TARGET...: ninja's lines become one that is renewed (on a terminal) or one every half minute;
# what compilers say is passed through. Fails where ninja fails.
build_with_progress() {
    local folder=$1 jobs=$2 total done_seconds=0 seconds part line status shown=0 left now
    shift 2
    if ! command -v ninja >/dev/null || [ ! -f "$folder/build.ninja" ]; then
        cmake --build "$folder" --parallel "$jobs" ${1:+--target "$@"} >&2
        return
    fi
    guess_total "$folder" "$@"
    [ "$total" -gt 0 ] || total=1
    local begin=$SECONDS
    NINJA_STATUS='@%f/%t ' ninja -C "$folder" -j "$jobs" "$@" 2>&1 | while IFS= read -r line; do
        case $line in
        @*) ;;
        "ninja: "*directory* | "ninja: no work to do.") continue ;;
        *)
            [ ! -t 2 ] || printf '\r\033[K' >&2
            printf '%s\n' "$line" >&2
            continue
            ;;
        esac
        guess_seconds "$line"
        name_part "$line"
        done_seconds=$((done_seconds + seconds))
        [ $done_seconds -le "$total" ] || total=$done_seconds
        now=$((SECONDS - begin))
        # The guess at first; what was measured once a tenth is done.
        if [ $((done_seconds * 10)) -ge "$total" ] && [ $now -gt 0 ]; then
            left=$((now * (total - done_seconds) / done_seconds))
        else
            left=$(((total - done_seconds) / jobs))
        fi
        status=$(printf '%3d %%, %s: %s' $((done_seconds * 100 / total)) "$(in_words "$left")" "building $part")
        if [ -t 2 ]; then
            printf '\r\033[K%s' "$status" >&2
        elif [ $shown = 0 ] || [ $((now - shown)) -ge 30 ]; then
            shown=$((now + 1))
            printf '%s\n' "$status" >&2
        fi
    done
    status=${PIPESTATUS[0]}
    [ ! -t 2 ] || printf '\r\033[K' >&2
    return "$status"
}

# test_with_progress FOLDER ARGUMENT...: ctest's lines, with what is left behind each test. Fails where ctest fails.
test_with_progress() {
    local folder=$1 line begin=$SECONDS
    shift
    ctest --test-dir "$folder" "$@" | while IFS= read -r line; do
        if [[ $line =~ ^\ *([0-9]+)/([0-9]+)\ Test ]]; then
            line+=", $(in_words $(((SECONDS - begin) * (BASH_REMATCH[2] - BASH_REMATCH[1]) / BASH_REMATCH[1])))"
        fi
        printf '%s\n' "$line"
    done
    return "${PIPESTATUS[0]}"
}

# skipped_tests FOLDER: a line for each function that Qt Test skipped in the folder's last run of ctest, with the reason.
skipped_tests() {
    awk '/^[0-9]+\/[0-9]+ Testing: / { name = $3; told = 0 }
        /^SKIP / { sub(/^SKIP *: */, ""); print "  " name ": " $0; told = 1 }
        /^Test Skipped|^Test Pass Reason|SKIP_RETURN_CODE/ { if (!told) print "  " name; told = 1 }' \
        "$1/Testing/Temporary/LastTest.log" 2>/dev/null
}
