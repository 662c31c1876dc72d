#!/usr/bin/env bash
# Checks the format of the whole tree, then reads what changed with clang-tidy. See CONTRIBUTING.md.
set -u
cd "$(dirname "$0")/.." || exit 2
. packaging/setup.sh

usage() {
    cat <<'TEXT'
packaging/lint.sh [--minutes N] [--since COMMIT] [--format]

Fails and names the files where clang-format 14 would change a line, or where clang-tidy 14 (.clang-tidy) finds something.
clang-tidy reads the source files changed since COMMIT (default: where this branch left origin/main, else main's previous
merge), those without LibTorch first, the newest first. After N minutes (default 10) it stops and names what it did not
reach. --format does not start clang-tidy.
TEXT
}

minutes=10
since=
tidy=yes
while [ $# -gt 0 ]; do
    case $1 in
    --minutes) shift && minutes=${1:?--minutes needs a number} ;;
    --since) shift && since=${1:?--since needs a commit} ;;
    --format) tidy= ;;
    -h | --help) usage && exit 0 ;;
    *) fail "unknown option $1; allowed: --minutes N, --since COMMIT, --format" ;;
    esac
    shift
done
export deadline=$((EPOCHSECONDS + minutes * 60)) folder=$PWD/build/lint root=$PWD

check_format() {
    local wrong
    say "checking the format of the tree with clang-format 14"
    wrong=$(git ls-files -z --cached --others --exclude-standard --deduplicate '*.cpp' '*.h' \
        | xargs -0 -n 40 -P "$(nproc)" clang-format-14 --dry-run -Werror 2>&1 \
        | sed -nE 's/^([^:]+):[0-9]+:[0-9]+: error: .*/\1/p' | sort -u)
    [ -n "$wrong" ] || return 0
    say "not formatted:"
    printf '%s\n' "$wrong" >&2
    say "this formats them: clang-format-14 -i $(tr '\n' ' ' <<<"$wrong")"
    return 1
}

# The commit that this work began from, or nothing where the clone has no history.
find_base() {
    local found
    found=$(git merge-base HEAD origin/main 2>/dev/null)
    if [ -n "$found" ] && [ "$found" != "$(git rev-parse HEAD)" ]; then
        printf '%s\n' "$found"
    elif git rev-parse --quiet --verify HEAD^2 >/dev/null; then
        git rev-parse HEAD^1
    else
        git rev-list --first-parent --merges --max-count=1 HEAD
    fi
}

# The files that changed since $1 and are still there, the newest first; all of them without $1. Commits that only format do
# not count.
changed_files() {
    {
        git diff --name-only HEAD
        git ls-files --others --exclude-standard
        if [ -n "$1" ]; then git log --format='commit %H' --name-only "$1..HEAD"; else git ls-files; fi
    } | awk 'NR == FNR { formats[$1] = 1; next }
        /^commit / { passed = $2 in formats }
        /\.(cpp|h)$/ && !passed && !seen[$0]++' .git-blame-ignore-revs - \
        | while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done
}

# Prints the source file in which clang-tidy sees a changed file: itself, a header's own, else one that includes it.
unit_of() {
    local unit=$1 users
    [[ $unit != *.h ]] || unit=${unit%.h}.cpp
    if [ ! -e "$unit" ]; then
        users=$(git grep -lE "^#include \"([^\"]*/)?${1##*/}\"" -- '*.cpp' '*.h')
        unit=$(grep -Fxf "$folder/units" <<<"$users" | head -n 1)
        # One that only headers include.
        [ -n "$unit" ] || [ -z "$users" ] || unit=$(unit_of "${users%%$'\n'*}")
    fi
    printf '%s\n' "${unit:-$1}"
}

# Configures a build for clang-tidy: each source file by itself, without precompiled headers; nothing is compiled.
prepare() {
    configure_and_build lint "$folder" -- core/wire/generated/lockstep_generated.h
    # Tests include moc's output at their end. It is not read, so it may as well be empty.
    mkdir -p "$folder/moc"
    (cd "$folder/moc" && git -C "$root" grep -hoE '^#include "[a-z0-9_]+\.moc"' | cut -d'"' -f2 | xargs -r touch)
    # The source files of that build, those that do not read LibTorch's headers first.
    awk -F'"' -v root="$root/" '$2 == "command" { torch = /torch\/csrc/ }
        $2 == "file" && sub("^" root, "", $4) { print torch, $4 }' "$folder/compile_commands.json" \
        | sort -su -k2 | sort -s -n -k1,1 >"$folder/ranked"
    cut -d' ' -f2 "$folder/ranked" >"$folder/units"
}

# Reads one source file; called through xargs. Of errors only a file that is not found counts: clang 14 does not know all of
# the C++ that g++ compiles here (_Float16, lambdas that capture a structured binding, parts of LibTorch 1.13's headers).
tidy_one() {
    local left=$((deadline - EPOCHSECONDS)) said status
    if [ "$left" -le 0 ]; then
        printf '%s\n' "$1" >>"$folder/unreached"
        return
    fi
    said=$(timeout "$left" clang-tidy-14 -p "$folder" --quiet --extra-arg=-ferror-limit=0 --extra-arg="-I$folder/moc" "$1" 2>"$folder/$$.log")
    status=$?
    if [ $status = 124 ]; then
        printf '%s\n' "$1" >>"$folder/unreached"
    elif [ $status -gt 124 ] || grep -qE "^$root/[^:]+:[0-9]+:[0-9]+: (warning: |.* file not found)" <<<"$said"; then
        printf '%s\n' "$1" >>"$folder/found"
        grep -vE '^/usr/' <<<"$said" >&2
    fi
    rm -f "$folder/$$.log"
}

tidy_changes() {
    [ -n "$since" ] || since=$(find_base)
    if [ -n "$since" ]; then
        say "clang-tidy reads what changed since $(git log -1 --format='%h %s' "$since"), for at most $minutes min"
    else
        say "no earlier state of main is in this clone: clang-tidy reads the whole tree, for at most $minutes min"
    fi
    prepare
    rm -f "$folder/unreached" "$folder/found"
    changed_files "$since" | while IFS= read -r file; do unit_of "$file"; done | awk '!seen[$0]++' >"$folder/changed"
    # Those of the build, in two turns that keep the order of time.
    awk 'NR == FNR { torch[$2] = $1; next } $1 in torch { print torch[$1], $1 }' "$folder/ranked" "$folder/changed" \
        | sort -s -n -k1,1 | cut -d' ' -f2 >"$folder/order"
    export -f tidy_one
    # shellcheck disable=SC2016
    xargs -a "$folder/order" -r -n 1 -P "${LOCKSTEP_JOBS:-$(nproc)}" bash -c 'tidy_one "$1"' tidy
    local count
    count=$(wc -l <"$folder/order")
    if grep -vFxf "$folder/units" "$folder/changed" >"$folder/foreign"; then
        say "not in this build, so not read: $(tr '\n' ' ' <"$folder/foreign")"
    fi
    if [ -s "$folder/unreached" ]; then
        say "$(wc -l <"$folder/unreached") of $count files were not reached in $minutes min: $(sort "$folder/unreached" | tr '\n' ' ')"
    else
        say "clang-tidy read all $count files"
    fi
    [ -s "$folder/found" ] || return 0
    say "clang-tidy found something in, or in a header of: $(sort "$folder/found" | tr '\n' ' ')"
    return 1
}

install_missing "${packages_lint[@]}"
check_format || exit 1
[ -n "$tidy" ] || exit 0
install_missing "${packages_build[@]}" "${packages_run[@]}" "${packages_test[@]}"
tidy_changes
