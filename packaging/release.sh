#!/usr/bin/env bash
# packaging/release.sh [--debian CODENAME]... [--torch MINOR]... [OUT]: makes a release of the commit that is checked out, in OUT
# (build/release/VERSION): the source tarball, the Debian packages, the tarball that needs no root, the wheel with ranks for these
# minor releases of torch (2.11), an SPDX document and SHA256SUMS. As root, on Debian with debootstrap and the network. The same
# commit gives the same bytes, as long as the packages of Debian and PyPI that it is built with are the same.
#
# Each Debian (bookworm and trixie) is a root file system of its own in build/release/roots, made on the first call and used again
# by later ones. LOCKSTEP_CCACHE=DIR lends them a cache of the compiler's, and LOCKSTEP_CUDA_TORCH=DIR an installed torch (its
# share/cmake) for the wheel's ranks; LOCKSTEP_JOBS is how many files are compiled at once.
set -euo pipefail
say() { printf '\033[1m== %s\033[0m\n' "$*" >&2; }
fail() {
    printf 'release.sh: %s\n' "$*" >&2
    exit 2
}

codenames=()
minors=()
while [ $# -gt 0 ]; do
    case $1 in
    --debian) codenames+=("${2:?--debian needs a code name}") && shift ;;
    --torch) minors+=(--torch "${2:?--torch needs a minor release, such as 2.11}") && shift ;;
    -*) sed -n '2,9p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
[ ${#codenames[@]} -gt 0 ] || codenames=(bookworm trixie)
[ ${#minors[@]} -gt 0 ] || minors=(--torch 2.11)
given=${1:+$(realpath --canonicalize-missing "$1")}
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || fail "it makes root file systems: run it as root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

version=$(sed -n 's/^project(Lockstep VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out=$given
if [ -z "$out" ]; then
    out=build/release/$version
    rm -rf "$out"
elif [ -n "$(ls -A "$out" 2>/dev/null)" ]; then
    fail "$out is not empty"
fi
mkdir -p "$out" build/release/roots
source=lockstep-$version.tar.gz
git diff --quiet HEAD || say "changes that are not committed are not in the release"
git archive --format=tar --prefix="lockstep-$version/" HEAD | gzip -n -9 >"$out/$source"

# in_root ROOT COMMAND...: with /proc, /dev and the compiler's cache, in a mount namespace of its own: whatever ends it, nothing of
# this system stays mounted in a folder that is removed later.
in_root() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --propagation private bash -euc '
        root=$1
        shift
        mount --types proc proc "$root/proc"
        mount --bind /dev "$root/dev"
        if [ -n "${LOCKSTEP_CCACHE:-}" ]; then
            mkdir -p "$root/root/.cache/ccache"
            mount --bind "$LOCKSTEP_CCACHE" "$root/root/.cache/ccache"
        fi
        torch=/opt/torch/site-packages
        if [ -n "${LOCKSTEP_CUDA_TORCH:-}" ]; then
            mkdir -p "$root$torch"
            mount --bind "$(realpath "$LOCKSTEP_CUDA_TORCH/../../..")" "$root$torch"
        fi
        exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
            LOCKSTEP_JOBS="${LOCKSTEP_JOBS:-$(nproc)}" LOCKSTEP_KEEP_INSTALLED=yes \
            CCACHE_DIR=/root/.cache/ccache PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DEFAULT_TIMEOUT=180 \
            LOCKSTEP_CUDA_TORCH="${LOCKSTEP_CUDA_TORCH:+$torch/torch/share/cmake}" \
            LOCKSTEP_CMAKE_OPTIONS="${LOCKSTEP_CMAKE_OPTIONS:-}" LOCKSTEP_DEB_BUILD="${LOCKSTEP_DEB_BUILD:-}" "$@"' in_root "$@"
}

# make_root CODENAME ROOT: with what builds the packages.
make_root() {
    say "making a $1 in $2"
    rm -rf "$2.new"
    debootstrap --variant=minbase "$1" "$2.new" "${LOCKSTEP_DEBIAN_MIRROR:-http://deb.debian.org/debian}" >&2
    cp /etc/resolv.conf "$2.new/etc/resolv.conf"
    printf '#!/bin/sh\nexit 101\n' >"$2.new/usr/sbin/policy-rc.d"
    chmod 755 "$2.new/usr/sbin/policy-rc.d"
    # Certificates that this machine trusts beside Debian's, for pip.
    cp -RL /usr/local/share/ca-certificates "$2.new/usr/local/share/"
    mkdir "$2.new/work"
    cp "$out/$source" packaging/deb.sh "$2.new/work/"
    in_root "$2.new" sh -ec "apt-get update -qq
        apt-get install -y -qq --no-install-recommends build-essential debhelper ccache ca-certificates patchelf
        /work/deb.sh --control /work/$source /work/control
        apt-get build-dep -y -qq --no-install-recommends /work/control/lockstep-$version
        apt-get clean" >&2
    mv "$2.new" "$2"
}

oldest=yes
for codename in "${codenames[@]}"; do
    root=build/release/roots/$codename
    [ -d "$root" ] || make_root "$codename" "$root"
    say "building the packages in $root"
    rm -rf "$root/work"
    mkdir "$root/work"
    cp "$out/$source" "$root/work/"
    tar --extract --gzip --file "$out/$source" --directory "$root/work"
    in_root "$root" "/work/lockstep-$version/packaging/deb.sh" "/work/$source" /work/out
    cp "$root"/work/out/*.deb "$out/"
    # Of the oldest Debian, whose C library is on all later systems, too.
    if [ -n "$oldest" ]; then
        say "making the tarball that needs no root"
        in_root "$root" "/work/lockstep-$version/packaging/portable.sh" /work/out/installed /work/out
        say "building the wheel"
        in_root "$root" "/work/lockstep-$version/packaging/wheel/build.sh" "${minors[@]}" \
            --workbench /work/out/installed/usr/bin/lockstep --out /work/out
        cp "$root"/work/out/lockstep-"$version"-linux-*.tar.gz "$root"/work/out/*.whl "$out/"
        oldest=
    fi
done

git archive HEAD LICENSE CHANGELOG.md | tar --extract --directory "$out"
packaging/spdx.py "$version" "$commit" "$out" >"$out/lockstep-$version.spdx.json"
sums=$(cd "$out" && find . -maxdepth 1 -type f -printf '%P\n' | sort | xargs sha256sum)
printf '%s\n' "$sums" >"$out/SHA256SUMS"
say "the release is in $out:"
cat "$out/SHA256SUMS"
