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

# The package of each shared library, by the file that the loader takes.
depends=$(objdump -p "$command" | awk '/NEEDED/ { print $2 }' | while read -r library; do
    file=$(ldd "$command" | awk -v name="$library" '$1 == name { print $3 }')
    dpkg-query -S "$(readlink -f "$file")" "$file" 2>/dev/null | head -n 1 | cut -d: -f1
done | sort -u | paste -sd, | sed 's/,/, /g')

mkdir -p "$tree/DEBIAN" "$folder"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: pghd
Version: $version
Architecture: $architecture
Maintainer: pghd
Section: science
Priority: optional
Depends: $depends
Description: Apple Health exports as FHIR R4
 Converts Apple Health exports to FHIR R4 transaction Bundles as a stream, and
 runs a FHIR server with its own sign-in to test clients and servers with.
CONTROL
dpkg-deb --root-owner-group --build "$tree" "$folder/pghd_${version}_$architecture.deb"
