"""What the package holds besides the command, for which a small program stands in.

    python3 Tests/Delivery/test_package.py
"""

import gzip
import os
import shutil
import subprocess
import unittest

from delivery import ROOT, DeliveryTestCase

# clang comes with Swift.
COMPILER = os.environ.get("CC", "clang")
# A stand-in for the command. A shell's completions may begin with the program that would run them.
PROGRAM = r'''
#include <stdio.h>
#include <string.h>
int main(int count, char **arguments) {
  if (strcmp(arguments[1], "--version") == 0) puts("1.2.3");
  else printf("#!/bin/%s\n%s %s\n", arguments[2], arguments[1], arguments[2]);
}
'''
# Ours must not decide what git says.
GIT = {
    **os.environ, "LC_ALL": "C", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05+0100",
}


class Package(DeliveryTestCase):
    def compiled(self):
        program = self.folder / "program"
        subprocess.run([COMPILER, "-g", "-xc", "-", "-o", program], input=PROGRAM, text=True, check=True)
        return program

    def licensed(self):
        """A folder with the sources of a library."""
        library = self.folder / "checkouts" / "some-library"
        library.mkdir(parents=True)
        (library / "LICENSE.txt").write_text(f"{(ROOT / 'LICENSE').read_text()}\nas some library has it\n")
        (library / "NOTICE.txt").write_text("Copyright (c) 2019 A. Person\n\nwhat it wants to be told\n")
        return f"CHECKOUTS={library.parent}"

    def make(self, target, *variables):
        # A careful user's umask: what is installed is for everybody all the same, and dpkg-deb refuses folders that others
        # can't read.
        subprocess.run(
            ["make", "-C", ROOT, "-o", "build", target, *variables], check=True, capture_output=True, umask=0o077,
        )

    def control(self, folder, member="control"):
        return subprocess.run(
            ["dpkg-deb", "-I", *folder.glob("*.deb"), member], check=True, capture_output=True, text=True,
        ).stdout

    def test_the_package_holds_the_documents_the_unit_and_the_licences(self):
        tree, folder = self.folder / "tree", self.folder / "out"
        variables = [f"INSTALLED={self.compiled()}", f"DESTDIR={tree}", "PREFIX=/usr", self.licensed()]
        self.make("install", *variables, "ZSH_COMPLETION=zsh/vendor-completions/_pghd")
        subprocess.run(
            [ROOT / "packaging/deb.sh", tree, folder], check=True, capture_output=True, umask=0o077,
            env={**os.environ, "PACKAGE_VERSION": "1.2.3~test"},
        )
        self.assertEqual(
            {path.name.removesuffix(path.suffix).rpartition("_")[0] + path.suffix for path in folder.iterdir()},
            {"pghd_1.2.3~test-1.deb", "pghd-dbgsym_1.2.3~test-1.debug"},
        )
        unpacked = self.folder / "unpacked"
        subprocess.run(["dpkg-deb", "-x", *folder.glob("*.deb"), unpacked], check=True)
        documents = unpacked / "usr/share/doc/pghd"
        for name in ["README.md", "docs/watch.md", "docs/options.md", "docs/decisions/0020-keystore.md"]:
            self.assertEqual((documents / name).read_bytes(), (ROOT / name).read_bytes(), name)
        manual = unpacked / "usr/share/man/man1"
        self.assertEqual({path.suffix for path in manual.iterdir()}, {".gz"})
        self.assertEqual(
            gzip.decompress((manual / "pghd-sync.1.gz").read_bytes()), (ROOT / "packaging/man/pghd-sync.1").read_bytes(),
        )
        unit = (documents / "examples/pghd-watch.service").read_text()
        self.assertIn("\nExecStart=/usr/bin/pghd watch ", unit)
        self.assertNotIn("/usr/local/bin", unit)
        self.assertEqual((documents / "docs/pghd-watch.service").read_text(), unit)
        # What changed is upstream's changelog; Debian's own has the package's version.
        self.assertEqual(gzip.decompress((documents / "changelog.gz").read_bytes()), (ROOT / "CHANGELOG.md").read_bytes())
        log = gzip.decompress((documents / "changelog.Debian.gz").read_bytes()).decode()
        self.assertRegex(log, r"^pghd \(1\.2\.3~test-1\) unstable; urgency=medium\n\n  \* .*\n\n -- .* <.*@.*>  \w{3}, \d\d? ")
        control = self.control(folder)
        self.assertIn("\nVersion: 1.2.3~test-1\n", control)
        self.assertIn("\nRecommends: ca-certificates\nSuggests: xdg-utils\n", control)
        self.assertRegex(control, r"\nDepends: libc6 .*, libsqlite3-0 \(>= 3\.37\), libcurl4 \(>= 7\.78\)\n")
        sums = self.control(folder, "md5sums")
        (unpacked / "md5sums").write_text(sums)
        subprocess.run(["md5sum", "--check", "--quiet", "md5sums"], check=True, cwd=unpacked)
        files = [path for path in (unpacked / "usr").rglob("*") if path.is_file() and not path.is_symlink()]
        self.assertEqual(len(sums.splitlines()), len(files))
        size = sum((path.stat().st_size + 1023) // 1024 for path in files)
        self.assertIn(f"\nInstalled-Size: {size}\n", control)
        self.check_licences(documents)
        self.check_symbols(unpacked / "usr/bin/pghd", *folder.glob("*.debug"))

    def check_licences(self, documents):
        licences = (documents / "copyright").read_text()
        self.assertIn("\nFiles: *\nCopyright: 2026 the pghd authors\nLicense: Apache-2.0\n", licences)
        # Debian has the Apache License on every machine. What stands next to it in a file is kept.
        self.assertNotIn("TERMS AND CONDITIONS FOR USE", licences)
        self.assertIn("\nFiles: some-library\nCopyright: 2019 A. Person\nLicense: some-library\n", licences)
        part = licences[licences.index("\nLicense: some-library\n"):]
        self.assertRegex(
            part.partition("\n\n")[0],
            r"\n The Apache License, version 2\.0: /usr/share/common-licenses/Apache-2\.0\n( \.\n)* as some library has it\n"
            r" Copyright \(c\) 2019 A\. Person\n \.\n what it wants to be told$",
        )
        # What the toolchain brings, and what the codes ask for.
        for name, words in [
            ("ICU", "UNICODE LICENSE V3"), ("ICU", "Google double-conversion"), ("LOINC", "available at no cost"),
            ("swift-foundation", "Copyright (c) 2004 Apple Computer, Inc."), ("swift-foundation", "Nick Galbreath"),
        ]:
            part = licences[licences.index(f"\nLicense: {name}\n"):]
            self.assertIn(words, part.partition("\n\n")[0])
        self.assertFalse((documents / "licences").exists())
        self.assertFalse((documents / "LICENSE").exists())
        linked = (documents / "linked.txt").read_text()
        self.assertRegex(linked, r"\npghd 1\.2\.3~test, commit none\n.*Swift version \d.*\n")
        self.assertRegex(linked, r"\ngrdb\.swift \d+\.\d+\.\d+, revision [0-9a-f]{40}\n")

    def check_symbols(self, command, symbols):
        """The command has no symbols of its own, and names the file next to the package that has them."""
        links = subprocess.run(
            ["readelf", "--string-dump=.gnu_debuglink", "-S", command], check=True, capture_output=True,
        ).stdout.decode(errors="replace")
        self.assertIn(symbols.name, links)
        self.assertNotIn(".symtab", links)
        self.assertNotIn(".debug_info", links)
        sections = subprocess.run(["readelf", "-S", symbols], check=True, capture_output=True, text=True).stdout
        self.assertIn(".debug_info", sections)

    def packaged(self, sources, **environment):
        """The outcome of packaging a small tree with the sources' script, and the version that the package got."""
        tree, folder = self.folder / "small", self.folder / "small-out"
        for path in [tree, folder]:
            shutil.rmtree(path, ignore_errors=True)
        documents = tree / "usr/share/doc/pghd"
        (documents / "docs").mkdir(parents=True)
        (documents / "licences").mkdir()
        for name in ["LICENSE", "CHANGELOG.md", "licences/ICU", "docs/pghd-watch.service"]:
            (documents / name).write_text(name)
        (tree / "usr/bin").mkdir()
        shutil.copy(self.folder / "program", tree / "usr/bin/pghd")
        outcome = subprocess.run(
            [sources / "packaging/deb.sh", tree, folder], capture_output=True, text=True, env={**GIT, **environment},
        )
        return outcome, [path.name.split("_")[1] for path in folder.glob("*.deb")]

    def sources(self, folder):
        """Sources as an archive holds them, with what a build has added."""
        (folder / "packaging").mkdir(parents=True)
        shutil.copy(ROOT / "packaging/deb.sh", folder / "packaging")
        (folder / "CHANGELOG.md").write_text("")
        (folder / "Package.resolved").write_text("{}\n")
        (folder / ".gitignore").write_text("Package.resolved\n")
        return folder

    def git(self, folder, *arguments):
        return subprocess.run(
            ["git", "-C", folder, *arguments], check=True, capture_output=True, text=True, env=GIT,
        ).stdout.strip()

    def committed(self, folder):
        self.git(folder, "init", "-q")
        self.git(folder, "add", ".")
        self.git(folder, "commit", "-qm", "a")
        return self.git(folder, "rev-parse", "--short", "HEAD")

    def test_each_state_of_the_sources_has_a_version_of_its_own(self):
        self.compiled()
        sources = self.sources(self.folder / "sources")
        commit = self.committed(sources)
        between = f"1.2.3~git20260102020405.{commit}"
        self.assertEqual(self.packaged(sources)[1], [f"{between}-1"])
        (sources / "CHANGELOG.md").write_text("changed\n")
        self.assertEqual(self.packaged(sources)[1], [f"{between}+dirty-1"])
        for tag in ["v1.2.3", "also-this"]:
            self.git(sources, "tag", tag)
        self.assertEqual(self.packaged(sources)[1], [f"{between}+dirty-1"])
        self.git(sources, "checkout", "-q", "CHANGELOG.md")
        self.assertEqual(self.packaged(sources)[1], ["1.2.3-1"])
        # As apt sorts them: otherwise it would not update.
        versions = [f"{between}-1", f"{between}+dirty-1", "1.2.3-1"]
        for earlier, later in zip(versions, versions[1:]):
            subprocess.run(["dpkg", "--compare-versions", earlier, "lt", later], check=True)

    def test_sources_that_no_clone_names_need_a_version(self):
        self.compiled()
        expected = (
            "deb.sh: PACKAGE_VERSION: missing, and no clone says which sources these are (expected such as 1.2.3 for a "
            "release's): PACKAGE_VERSION=1.2.3 make package\n"
        )
        alone = self.sources(self.folder / "alone")
        around = self.folder / "around"
        inside = self.sources(around / "inside")
        self.committed(around)
        self.git(around, "tag", "v1.2.3")
        for sources in [alone, inside]:
            outcome, versions = self.packaged(sources)
            self.assertEqual((outcome.returncode, outcome.stderr, versions), (1, expected, []))
            self.assertEqual(self.packaged(sources, PACKAGE_VERSION="1.2.3")[1], ["1.2.3-1"])
            for wrong in ["1.2.4", "1.2.30", "1.2.3-4", "1.2.3~a b"]:
                outcome, versions = self.packaged(sources, PACKAGE_VERSION=wrong)
                self.assertEqual((outcome.returncode, versions), (1, []), wrong)
                self.assertIn("deb.sh: PACKAGE_VERSION: not a version of this command (expected 1.2.3, ", outcome.stderr)

    def test_where_git_fails_it_says_why_and_no_package_is_made(self):
        self.compiled()
        sources = self.sources(self.folder / "sources")
        self.committed(sources)
        # As in another user's clone.
        outcome, versions = self.packaged(sources, GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
        self.assertNotEqual(outcome.returncode, 0)
        self.assertIn("dubious ownership", outcome.stderr)
        self.assertEqual(versions, [])

    def test_a_command_that_looks_for_libraries_in_its_own_folder_is_refused(self):
        tree = self.folder / "tree"
        (tree / "usr/bin").mkdir(parents=True)
        command = tree / "usr/bin/pghd"
        subprocess.run(
            [COMPILER, "-xc", "-", "-Wl,-rpath,$ORIGIN", "-o", command], input="int main(void) { return 0; }\n",
            text=True, check=True,
        )
        outcome = subprocess.run([ROOT / "packaging/deb.sh", tree, self.folder], capture_output=True, text=True)
        self.assertEqual(
            (outcome.returncode, outcome.stderr),
            (
                1,
                f"deb.sh: {command}: looks for libraries in folders of its own (expected the system's alone): "
                "build it with make build\n",
            ),
        )

    def test_install_is_for_everybody_whatever_the_umask_and_uninstall_removes_everything(self):
        tree = self.folder / "a folder"
        variables = [f"INSTALLED={self.compiled()}", f"DESTDIR={tree}", "PREFIX=/opt/pghd", self.licensed()]
        self.make("install", *variables)
        place = tree / "opt/pghd"
        files = {str(path.relative_to(place)): path for path in place.rglob("*") if path.is_file()}
        profiles = {f"share/pghd/{path.relative_to(ROOT)}" for path in (ROOT / "profiles").rglob("*.json")}
        pages = {f"share/man/man1/{path.name}" for path in (ROOT / "packaging/man").glob("*.1")}
        self.assertIn("share/man/man1/pghd-sync.1", pages)
        documents = {
            f"share/doc/pghd/{path.relative_to(ROOT)}"
            for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.*"), ROOT / "LICENSE"]
        }
        self.assertIn("share/doc/pghd/docs/decisions/README.md", documents)
        licences = {f"share/doc/pghd/licences/{path.name}" for path in (ROOT / "packaging/licences").iterdir()}
        self.assertEqual(
            set(files),
            profiles | pages | documents | licences | {
                "bin/pghd", "share/bash-completion/completions/pghd", "share/zsh/site-functions/_pghd",
                "share/fish/vendor_completions.d/pghd.fish", "share/doc/pghd/licences/some-library/LICENSE.txt",
                "share/doc/pghd/licences/some-library/NOTICE.txt",
            },
        )
        for shell, name in [
            ("bash", "bash-completion/completions/pghd"), ("zsh", "zsh/site-functions/_pghd"),
            ("fish", "fish/vendor_completions.d/pghd.fish"),
        ]:
            # A completion is read by the shell, not run.
            self.assertEqual(files[f"share/{name}"].read_text(), f"--generate-completion-script {shell}\n")
        self.assertIn("\nExecStart=/opt/pghd/bin/pghd watch ", files["share/doc/pghd/docs/pghd-watch.service"].read_text())
        for name, path in files.items():
            self.assertEqual(path.stat().st_mode & 0o777, 0o755 if name == "bin/pghd" else 0o644, name)
        for path in place.rglob("*/"):
            self.assertEqual(path.stat().st_mode & 0o777, 0o755, path)
        self.make("uninstall", *variables)
        self.assertEqual([path for path in tree.rglob("*") if not path.is_dir()], [])

    def test_a_packages_completions_are_where_zsh_looks_for_those_of_packages(self):
        lines = subprocess.run(["make", "-n", "-C", ROOT, "package"], check=True, capture_output=True, text=True).stdout
        self.assertIn("zsh:zsh/vendor-completions/_pghd", lines)
        self.assertIn('".build-install/package/usr/share/', lines)


if __name__ == "__main__":
    unittest.main()
