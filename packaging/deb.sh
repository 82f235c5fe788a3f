#!/bin/sh
# Makes pghd_VERSION_ARCHITECTURE.deb from an installed tree: deb.sh TREE FOLDER
# What the command links decides what the package depends on; Swift's runtime is inside.
set -eu

tree=$1
folder=$2
command=$tree/usr/bin/pghd
strip "$command"
version=$("$command" --version)
architecture=$(dpkg --print-architecture)

# The packages of the shared libraries, each from the version on that has what the command uses.
mkdir -p "$tree/DEBIAN" "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: pghd\n\nPackage: pghd\nArchitecture: any\n' >"$work/debian/control"
file=$(CDPATH='' cd -- "$(dirname -- "$command")" && pwd)/pghd
depends=$(cd "$work" && dpkg-shlibdeps -O "-e$file" | sed -n 's/^shlibs:Depends=//p')
# libcurl is loaded by name when the first request is made.
[ -n "$depends" ] || { echo "deb.sh: the command's libraries belong to no package" >&2; exit 1; }

cat >"$tree/DEBIAN/control" <<CONTROL
Package: pghd
Version: $version
Architecture: $architecture
Maintainer: pghd
Section: science
Priority: optional
Depends: $depends, libcurl4 (>= 7.68)
Recommends: ca-certificates
Description: Apple Health exports as FHIR R4
 Converts Apple Health exports to FHIR R4 transaction Bundles as a stream, and
 runs a FHIR server with its own sign-in to test clients and servers with.
CONTROL
dpkg-deb --root-owner-group --build "$tree" "$folder/pghd_${version}_$architecture.deb"
