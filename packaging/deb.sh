#!/bin/sh
# Makes pghd_VERSION_ARCHITECTURE.deb from an installed tree: deb.sh TREE FOLDER
# The package depends on what the command links; Swift's runtime is inside the command. README, docs and the systemd
# unit come from the folder above this script's; the licences of what is linked into the command from
# FOLDER/checkouts, and of what the toolchain brings from the folder `licences` next to this script.
set -eu
# dpkg-deb refuses folders that others can't read.
umask 022

tree=$1
folder=$2
command=$tree/usr/bin/pghd
strip "$command"
# Anyone who may write to a folder that it names could put a library of their own there.
if readelf -d "$command" | grep -qE '\((RPATH|RUNPATH)\)'; then
  echo "deb.sh: $command: looks for libraries in folders of its own (expected the system's alone): build it with make build" >&2
  exit 1
fi
version=$("$command" --version)
architecture=$(dpkg --print-architecture)

# The packages of the shared libraries, each with the first version that has what the command uses.
mkdir -p "$tree/DEBIAN" "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: pghd\n\nPackage: pghd\nArchitecture: any\n' >"$work/debian/control"
file=$(CDPATH='' cd -- "$(dirname -- "$command")" && pwd)/pghd
depends=$(cd "$work" && dpkg-shlibdeps -O "-e$file" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "deb.sh: the command's libraries belong to no package" >&2; exit 1; }

# What people read. The systemd unit is an example, since it names a server that does not exist.
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# The same tree makes the same package: its files have the date of the sources.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct 2>/dev/null || stat -c %Y "$source/CHANGELOG.md")
fi
export SOURCE_DATE_EPOCH
# apt takes a package of the same version for the one that is installed. So each commit between releases has a version
# of its own, below that of the next release.
if commit=$(git -C "$source" rev-parse --short HEAD 2>/dev/null) &&
  [ "$(git -C "$source" tag --points-at HEAD)" != "v$version" ]; then
  version=$version~git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).$commit
fi
documents=$tree/usr/share/doc/pghd
mkdir -p "$documents/examples"
cp -R "$source/README.md" "$source/CHANGELOG.md" "$source/CONTRIBUTING.md" "$source/SECURITY.md" "$source/docs" "$documents/"
sed 's|^ExecStart=/usr/local/bin/|ExecStart=/usr/bin/|' "$source/docs/pghd-watch.service" \
  >"$documents/examples/pghd-watch.service"
ln -sf ../examples/pghd-watch.service "$documents/docs/pghd-watch.service"
# The licence, and those of what is linked into the command.
{
  printf 'pghd is under the Apache License, version 2.0.\n'
  cat "$source/LICENSE"
  for license in "$folder"/checkouts/*/LICENSE* "$folder"/checkouts/*/NOTICE*; do
    [ -f "$license" ] || continue
    printf '\n\npghd holds code of %s:\n\n' "$(basename "$(dirname "$license")")"
    cat "$license"
  done
  for license in "$source"/packaging/licences/*; do
    printf '\n\npghd holds code of %s:\n\n' "$(basename "$license")"
    cat "$license"
  done
} >"$documents/copyright"
gzip -9n <"$source/CHANGELOG.md" >"$documents/changelog.gz"
find "$tree/usr/share" -path '*/man/man1/*.1' -exec gzip -9nf {} +
chmod -R u=rwX,go=rX "$documents"
# The sums are for `dpkg -V`; the size is for apt, which tells two builds of one version apart by it.
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
size=$(find "$tree/usr" -type f -printf '%s\n' | awk '{ kilobytes += int(($1 + 1023) / 1024) } END { print kilobytes }')

# libcurl is loaded by name with the first address, so what the command links does not show it.
cat >"$tree/DEBIAN/control" <<CONTROL
Package: pghd
Version: $version
Architecture: $architecture
Installed-Size: $size
Maintainer: pghd
Section: science
Priority: optional
Depends: $depends, libcurl4 (>= 7.78)
Recommends: ca-certificates
Description: Apple Health exports as FHIR R4
 Converts Apple Health exports to FHIR R4 transaction Bundles as a stream,
 signs in to FHIR servers, delivers each resource to them once and verifies
 what they have, and runs a FHIR server with its own sign-in to test clients
 and servers with.
CONTROL
dpkg-deb --root-owner-group --build "$tree" "$folder/pghd_${version}_$architecture.deb"
