#!/usr/bin/env bash
# How long the door takes: from a clone, without ccache and with the packages installed, to the first window that ./run maps under
# Xvfb, and then the build and the run of ./test. Needs Xvfb, xwininfo (x11-utils) and a quiet machine.
#
#   tests/bench/door_time.sh [FOLDER]    FOLDER: where to clone to; a new one, which is left behind
#   DOOR_CORES=2                         the cores to use
#   DOOR_ONLY=run                        without ./test
set -u
source=$(git -C "$(dirname "$0")" rev-parse --show-toplevel) || exit 2
folder=${1:-$(mktemp -d)/lockstep}
cores=${DOOR_CORES:-2}
for tool in Xvfb xwininfo taskset; do
    command -v "$tool" >/dev/null || { echo "door_time.sh: $tool is not installed" >&2; exit 2; }
done
export CCACHE_DISABLE=1 LOCKSTEP_NO_INSTALL=1 LOCKSTEP_JOBS=$cores
unset WAYLAND_DISPLAY LOCKSTEP_WERROR

print_time() { printf '%-28s %3d min %02d s\n' "$1" $(($2 / 60)) $(($2 % 60)); }

display=:$((90 + $$ % 100))
Xvfb "$display" -screen 0 1280x800x24 >/dev/null 2>&1 &
server=$!
run=
trap '[ -z "$run" ] || kill "$run" 2>/dev/null; kill "$server" 2>/dev/null' EXIT
sleep 1

start=$SECONDS
git clone --quiet "$source" "$folder" || exit 1
cd "$folder" || exit 1
DISPLAY=$display QT_QPA_PLATFORM=xcb taskset -c "0-$((cores - 1))" ./run --no-cuda >run.log 2>&1 &
run=$!
until DISPLAY=$display xwininfo -root -tree 2>/dev/null | grep -qi '"lockstep'; do
    kill -0 "$run" 2>/dev/null || { echo "door_time.sh: ./run ended without a window:" >&2; tail -5 run.log >&2; exit 1; }
    sleep 0.2
done
print_time "a clone to the window" $((SECONDS - start))
kill "$run" # ./run has become the workbench
run=
[ "${DOOR_ONLY:-}" != run ] || exit 0

start=$SECONDS
taskset -c "0-$((cores - 1))" ./test --build-only >test.log 2>&1 || { tail -5 test.log >&2; exit 1; }
print_time "./test, its build" $((SECONDS - start))
built=$SECONDS
taskset -c "0-$((cores - 1))" ./test >>test.log 2>&1
status=$?
print_time "./test, its run" $((SECONDS - built))
print_time "./test in all" $((SECONDS - start))
tail -3 test.log
exit $status
