#!/bin/sh
# Makes pghd_VERSION_ARCHITECTURE.deb from an installed tree, and pghd-dbgsym_VERSION_ARCHITECTURE.debug with the
# command's debug symbols: deb.sh TREE FOLDER
# TREE is what `make install` made. The package depends on what the command links; Swift's runtime is inside the command.
# PACKAGE_VERSION is the version of sources that are not a clone.
set -eu
# dpkg-deb refuses folders that others can't read.
umask 022

tree=$1
folder=$2
command=$tree/usr/bin/pghd
documents=$tree/usr/share/doc/pghd
source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

refuse() {
  echo "deb.sh: $1" >&2
  exit 1
}

# Anyone who may write to a folder that it names could put a library of their own there.
if readelf -d "$command" | grep -qE '\((RPATH|RUNPATH)\)'; then
  refuse "$command: looks for libraries in folders of its own (expected the system's alone): build it with make build"
fi
architecture=$(dpkg --print-architecture)

# The sources' version. apt takes a package of the same version for the one that is installed. So each commit between
# releases has a version of its own, below that of the next release, and so have sources that somebody has changed.
version=$("$command" --version)
commit=none
missing="PACKAGE_VERSION: missing, and no clone says which sources these are (expected such as $version for a release's):"
missing="$missing PACKAGE_VERSION=$version make package"
if [ -n "${PACKAGE_VERSION:-}" ]; then
  case $PACKAGE_VERSION in
    *[!A-Za-z0-9.+~]*) fits= ;;
    "$version" | "$version"[+~]*) fits=yes ;;
    *) fits= ;;
  esac
  [ "$fits" ] || refuse \
    "PACKAGE_VERSION: not a version of this command (expected $version, or that, ~ or +, and more): write it so"
  version=$PACKAGE_VERSION
elif [ ! -e "$source/.git" ]; then
  # Another repository that the sources lie in says nothing about them.
  refuse "$missing"
else
  # Where git fails, in another user's clone for example, it says why, and this script ends.
  top=$(git -C "$source" rev-parse --show-toplevel)
  [ "$top" = "$source" ] || refuse "$missing"
  commit=$(git -C "$source" rev-parse --short HEAD)
  changes=$(git -C "$source" status --porcelain)
  if [ -n "$changes" ] || ! git -C "$source" tag --points-at HEAD | grep -qxF "v$version"; then
    version=$version~git$(TZ=UTC0 git -C "$source" log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S).$commit
  fi
  [ -z "$changes" ] || version=$version+dirty
fi
# The package's own number: it is not raised, since another package is another build of the sources.
full=$version-1

# The same tree makes the same package: its files have the date of the sources.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct 2>/dev/null || stat -c %Y "$source/CHANGELOG.md")
fi
export SOURCE_DATE_EPOCH

# A debugger finds the symbols by their name, which the command has from here on.
mkdir -p "$tree/DEBIAN" "$folder"
symbols=$folder/pghd-dbgsym_${full}_$architecture.debug
objcopy --only-keep-debug --compress-debug-sections "$command" "$symbols"
chmod 644 "$symbols"
strip "$command"
objcopy --add-gnu-debuglink="$symbols" "$command"

# The packages of the shared libraries, each with the first version that has what the command uses.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: pghd\n\nPackage: pghd\nArchitecture: any\n' >"$work/debian/control"
file=$(CDPATH='' cd -- "$(dirname -- "$command")" && pwd)/pghd
depends=$(cd "$work" && dpkg-shlibdeps -O "-e$file" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || refuse "the command's libraries belong to no package"
# What they link does not show everything: the ledger's tables are STRICT, which SQLite has since 3.37, and libcurl is
# loaded by name with the first address.
depends=$(printf '%s' "$depends" | sed -E 's/libsqlite3-0( \([^)]*\))?(, |$)//; s/, $//')
depends="$depends, libsqlite3-0 (>= 3.37), libcurl4 (>= 7.78)"

# The systemd unit is an example, since it names a server that does not exist.
mkdir -p "$documents/examples"
mv "$documents/docs/pghd-watch.service" "$documents/examples/"
ln -s ../examples/pghd-watch.service "$documents/docs/pghd-watch.service"

# What was linked in: bugs and licences belong to versions.
toolchain=$(swift --version 2>/dev/null) ||
  refuse "swift: can't say its version (expected the one that built the command): put it into PATH"
[ -e "$source/Package.resolved" ] ||
  refuse "$source/Package.resolved: missing (expected the one that the build used): make build"
{
  printf 'What is linked into /usr/bin/pghd, besides the shared libraries that this package depends on.\n\n'
  printf 'pghd %s, commit %s\n' "$version" "$commit"
  printf '%s\n' "$toolchain" | head -n 1
  awk -F '"' '
    $2 == "identity" { name = $4 } $2 == "revision" { revision = $4 }
    $2 == "version" && $4 { print name " " $4 ", revision " revision }
  ' "$source/Package.resolved"
} >"$documents/linked.txt"

# The licences in Debian's form: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
# Debian has the Apache License on every machine, so it is not repeated, wherever it stands in a file.
{
  cat <<COPYRIGHT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: pghd
Comment: The command holds what linked.txt names. A part's licence stands with the part's name.

Files: *
Copyright: 2026 the pghd authors
License: Apache-2.0

License: Apache-2.0
 On Debian systems, the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
  for part in "$documents"/licences/*; do
    find "$part" -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cat >"$work/licence"
    name=$(basename "$part")
    printf '\nFiles: %s\n' "$name"
    # The years and names, without what begins the line.
    holders=$(sed -nE 's/^[^A-Za-z]*Copyright *(©|\([cC]\))? *([12][0-9]{3}.*)/\2/p' "$work/licence" | LC_ALL=C sort -u)
    printf 'Copyright: %s\n' "${holders:-as the licence says}" | sed '2,$s/^/ /'
    printf 'License: %s\n' "$name"
    awk '
      !skips && /^ *Apache License *$/ {
        skips = 1; isOver = 0
        print "The Apache License, version 2.0: /usr/share/common-licenses/Apache-2.0"
      }
      skips && /END OF TERMS AND CONDITIONS/ { isOver = 1; next }
      skips && isOver == 1 && !/^ *$/ { if (/APPENDIX: How to apply/) isOver = 2; else skips = 0 }
      skips && isOver == 2 && /limitations under the License\.$/ { skips = 0; next }
      !skips { print }
    ' "$work/licence" | sed -e 's/[[:space:]]*$//' -e 's/^$/./' -e 's/^/ /'
  done
} >"$documents/copyright"
rm -r "$documents/licences" "$documents/LICENSE"

# Debian's own changelog is about the package, ours about the sources.
gzip -9n <"$documents/CHANGELOG.md" >"$documents/changelog.gz"
maintainer='pghd maintainers <maintainers@pghd.invalid>'
gzip -9n >"$documents/changelog.Debian.gz" <<CHANGELOG
pghd ($full) unstable; urgency=medium

  * What changed in pghd is in changelog.gz.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
find "$tree/usr/share" -path '*/man/man1/*.1' -exec gzip -9nf {} +
chmod -R u=rwX,go=rX "$documents"
# The sums are for `dpkg -V`; the size is for apt, which tells two builds of one version apart by it.
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
size=$(find "$tree/usr" -type f -printf '%s\n' | awk '{ kilobytes += int(($1 + 1023) / 1024) } END { print kilobytes }')

cat >"$tree/DEBIAN/control" <<CONTROL
Package: pghd
Version: $full
Architecture: $architecture
Installed-Size: $size
Maintainer: $maintainer
Section: science
Priority: optional
Depends: $depends
Recommends: ca-certificates
Suggests: xdg-utils
Description: Apple Health exports as FHIR R4
 Converts Apple Health exports to FHIR R4 transaction Bundles as a stream,
 signs in to FHIR servers, delivers each resource to them once and verifies
 what they have, and runs a FHIR server with its own sign-in to test clients
 and servers with.
CONTROL
dpkg-deb --root-owner-group --build "$tree" "$folder/pghd_${full}_$architecture.deb"
