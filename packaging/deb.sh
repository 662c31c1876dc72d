#!/usr/bin/env bash
# packaging/deb.sh SOURCE.tar.gz OUT: builds the Debian packages lockstep and lockstep-rank of a source tarball (git archive) on
# this Debian, whose packages `apt-get build-dep` has installed, and puts them into OUT. The version is that of CMakeLists.txt
# with the release of Debian behind it, so that an upgrade of Debian is an upgrade of the package.
#
# packaging/deb.sh --control SOURCE.tar.gz FOLDER: only unpacks it there as a source package, for apt-get build-dep.
set -eu
control=
if [ "${1:-}" = --control ]; then control=yes && shift; fi
if [ $# != 2 ]; then
    sed -n '2,6p' "$0" >&2
    exit 2
fi
source=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
work=$out
[ -n "$control" ] || work=$(mktemp -d)

tar --extract --gzip --file "$source" --directory "$work" --no-same-owner
folder=$(find "$work" -maxdepth 1 -name 'lockstep-*' -type d)
cd "$folder"
cp -R packaging/debian debian
number=$(sed -n 's/^project(Lockstep VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "${ID/debian/deb}$VERSION_ID")
# The time of the commit, which git archive gives to every file.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(stat --format %Y CMakeLists.txt)}
{
    printf 'lockstep (%s~%s) unstable; urgency=medium\n\n' "${LOCKSTEP_DEB_VERSION:-$number}" "$release"
    awk -f debian/changelog.awk CHANGELOG.md
    printf '\n -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' debian/control)" "$(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")"
} >debian/changelog
[ -z "$control" ] || exit 0

export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:+$DEB_BUILD_OPTIONS }nocheck parallel=${LOCKSTEP_JOBS:-$(nproc)}"
# One path for all builds: some of it is in what is built. LOCKSTEP_DEB_BUILD is another one, such as that of the tree which has
# filled ccache's cache.
build=${LOCKSTEP_DEB_BUILD:-/tmp/lockstep-deb}
rm -rf "$build"
mkdir -p "$(dirname "$build")"
mv "$folder" "$build"
cd "$build"
dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes >&2
mv "$build/../"lockstep*_"${LOCKSTEP_DEB_VERSION:-$number}~$release"_*.{deb,buildinfo,changes} "$out/"
# packaging/portable.sh makes its tarball of the same build.
rm -rf "$out/installed"
[ -z "${LOCKSTEP_KEEP_INSTALLED:-}" ] || cp -a debian/tmp "$out/installed"
rm -rf "$work" "$build"
