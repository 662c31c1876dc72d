#!/usr/bin/env bash
# packaging/portable.sh INSTALLED OUT: makes lockstep-VERSION-linux-ARCH.tar.gz, which runs where it is unpacked and needs no root,
# of what `DESTDIR=INSTALLED cmake --install` has put into INSTALLED/usr on this Debian. It has Qt, its plugins, QCustomPlot
# and the libraries whose sonames differ between releases; not LibTorch, which the rank program takes from the system.
# shellcheck disable=SC2016 # $ORIGIN is for the dynamic linker
set -eu
if [ $# != 2 ]; then
    sed -n '2,5p' "$0" >&2
    exit 2
fi
installed=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
number=$("$installed/usr/bin/lockstep" --version | cut -d' ' -f2)
name=lockstep-$number-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/$name
mkdir -p "$tree/lib" "$tree/plugins" "$tree/licences"
cp -R "$installed/usr/bin" "$installed/usr/share" "$tree/"

# By soname: what every desktop has in the same version, or must be the system's own (libcrypto gets security updates, graphics
# drivers fit the kernel, LibTorch is the user's choice).
of_system='ld-linux.*|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z|crypto|ssl|GL|EGL|GLX|GLdispatch|OpenGL|gbm|drm|fontconfig|freetype|expat|X11|X11-xcb|xcb|Xau|Xdmcp|xcb-(dri2|dri3|glx|present|shm|sync|xfixes|randr|render|shape|xkb|xinput|xinerama)|dbus-1|systemd|glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|gthread-2\.0|ffi|mount|blkid|selinux|lzma|zstd|lz4|cap|gcrypt|gpg-error|pcre2-8|bsd|md|bz2|com_err|k5crypto|krb5|krb5support|keyutils|gssapi_krb5|cups|avahi-client|avahi-common|gnutls|p11-kit|idn2|unistring|tasn1|nettle|hogweed|gmp|graphite2|harfbuzz|brotlicommon|brotlidec|png16|xkbcommon|uuid)\.so.*'

copy_libraries_of() {
    local library path package
    # Libraries that are there already are not asked again.
    ldd "$1" | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | while read -r library path; do
        if printf '%s' "$library" | grep -qxE "$of_system" || [ -e "$tree/lib/$library" ]; then continue; fi
        cp -L "$path" "$tree/lib/$library"
        package=$(dpkg-query --search "$(realpath "$path")" "$path" 2>/dev/null | head -n 1 | sed 's/[:,].*//')
        printf '%s %s\n' "$package" "$(dpkg-query --show --showformat '${Version}' "$package")" >>"$work/packages"
        cp -L "/usr/share/doc/$package/copyright" "$tree/licences/$package"
    done
}

plugins=$(dirname "$(find /usr/lib -path '*qt6/plugins/platforms' -type d | head -n 1)")
for plugin in platforms/libqxcb.so platforms/libqoffscreen.so xcbglintegrations sqldrivers/libqsqlite.so imageformats/libqsvg.so \
    iconengines/libqsvgicon.so tls/libqopensslbackend.so platforminputcontexts printsupport; do
    if [ -e "$plugins/$plugin" ]; then
        mkdir -p "$tree/plugins/$(dirname "$plugin")"
        cp -RL "$plugins/$plugin" "$tree/plugins/$(dirname "$plugin")/"
    fi
done
copy_libraries_of "$tree/bin/lockstep"
find "$tree/plugins" -name '*.so' | sort | while read -r plugin; do copy_libraries_of "$plugin"; done
# The rank program's own libraries without those of LibTorch and MPI.
fmt=$(ldd "$tree/bin/lockstep-rank" | sed -n 's/.*\(libfmt[^ ]*\) => .*/\1/p')
[ -e "$tree/lib/$fmt" ] || { echo "portable.sh: $fmt is not among the copied libraries" >&2 && exit 1; }

# Before patchelf, whose changed sections strip may damage.
strip --strip-unneeded "$tree/bin/lockstep" "$tree/bin/lockstep-rank"
find "$tree/lib" -name '*.so*' -exec patchelf --set-rpath '$ORIGIN' {} +
find "$tree/plugins" -name '*.so' -exec patchelf --set-rpath '$ORIGIN/../../lib' {} +
patchelf --set-rpath '$ORIGIN/../lib' "$tree/bin/lockstep" "$tree/bin/lockstep-rank"
printf '[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = translations\n' >"$tree/bin/qt.conf"
translations=$(find /usr/share/qt6 -name translations -type d | head -n 1)
if [ -n "$translations" ]; then
    mkdir -p "$tree/translations"
    find "$translations" -name 'qtbase_zh_CN.qm' -exec cp {} "$tree/translations/" \;
fi
cp "$(dirname "$0")/../LICENSE" "$tree/"
sort -u "$work/packages" >"$tree/licences/packages.txt"
# What these programs name of the system, as the packages that a minimal Debian lacks.
find "$tree/bin/lockstep" "$tree/lib" "$tree/plugins" -type f -exec objdump -p {} + | sed -n 's/^ *NEEDED *//p' | sort -u \
    | while read -r library; do
        [ -e "$tree/lib/$library" ] || dpkg-query --search "*/$library" | sed 's/[:,].*//'
    done | sort -u | grep -vxE 'libc6|libgcc-s1|libstdc\+\+6|zlib1g' | paste -sd ' ' | fold -s -w 110 >"$work/system"
cat >"$tree/README" <<TEXT
Lockstep $number: bin/lockstep opens the workbench, from wherever this folder is.

Of the system it needs glibc 2.35, X11, OpenGL and a font. On a minimal Debian 12, and by these names on newer ones, too:

$(sed "1s/^/apt-get install fonts-dejavu-core /; s/^/    /; \$!s/ *\$/ \\\\/" "$work/system")

bin/lockstep-rank trains with the LibTorch of this system (on Debian 12: apt-get install libtorch1.13). Another one, such as that
of the PyPI package lockstep-workbench, is chosen by LOCKSTEP_RANK=/path/to/lockstep-rank. lockstep doctor says what is missing.

licences/ has the licence of each library in lib/, and packages.txt the Debian package that it comes from.
TEXT
epoch=${SOURCE_DATE_EPOCH:?portable.sh needs SOURCE_DATE_EPOCH, the time of the commit}
tar --create --directory "$work" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode=go+u,go-w "$name" \
    | gzip -n -9 >"$out/$name.tar.gz"
printf '%s\n' "$out/$name.tar.gz"
