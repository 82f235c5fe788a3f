"""What the package holds besides the command, for which a small program stands in.

    python3 Tests/Delivery/test_package.py
"""

import gzip
import os
import subprocess
import unittest

from delivery import ROOT, DeliveryTestCase

# clang comes with Swift.
COMPILER = os.environ.get("CC", "clang")


class Package(DeliveryTestCase):
    def test_the_package_holds_the_documents_the_unit_and_the_licences(self):
        tree, folder = self.folder / "tree", self.folder / "out"
        (tree / "usr/bin").mkdir(parents=True)
        (tree / "usr/share/man/man1").mkdir(parents=True)
        (tree / "usr/share/man/man1/pghd.1").write_text(".TH PGHD 1\n")
        (folder / "checkouts" / "some-library").mkdir(parents=True)
        (folder / "checkouts" / "some-library" / "LICENSE.txt").write_text("as some library has it\n")
        (folder / "checkouts" / "some-library" / "NOTICE.txt").write_text("what it wants to be told\n")
        program = self.folder / "program.c"
        program.write_text('#include <stdio.h>\nint main(void) { puts("1.2.3"); }\n')
        subprocess.run([COMPILER, str(program), "-o", str(tree / "usr/bin/pghd")], check=True)
        # A careful user's umask: dpkg-deb refuses folders that others can't read.
        subprocess.run([ROOT / "packaging/deb.sh", tree, folder], check=True, capture_output=True, umask=0o077)
        unpacked = self.folder / "unpacked"
        subprocess.run(["dpkg-deb", "-x", *folder.glob("pghd_1.2.3*.deb"), unpacked], check=True)
        documents = unpacked / "usr/share/doc/pghd"
        for name in ["README.md", "docs/watch.md", "docs/options.md", "docs/decisions/0020-keystore.md"]:
            self.assertEqual((documents / name).read_bytes(), (ROOT / name).read_bytes(), name)
        manual = unpacked / "usr/share/man/man1"
        self.assertEqual([path.name for path in manual.iterdir()], ["pghd.1.gz"])
        self.assertEqual(gzip.decompress((manual / "pghd.1.gz").read_bytes()), b".TH PGHD 1\n")
        unit = (documents / "examples/pghd-watch.service").read_text()
        self.assertIn("\nExecStart=/usr/bin/pghd watch ", unit)
        self.assertNotIn("/usr/local/bin", unit)
        self.assertEqual((documents / "docs/pghd-watch.service").read_text(), unit)
        licences = (documents / "copyright").read_text()
        self.assertIn((ROOT / "LICENSE").read_text(), licences)
        self.assertIn("pghd holds code of some-library:\n\nas some library has it\n", licences)
        self.assertIn("pghd holds code of some-library:\n\nwhat it wants to be told\n", licences)
        self.assertIn("pghd holds code of ICU:\n\nUNICODE LICENSE V3\n", licences)
        control = subprocess.run(
            ["dpkg-deb", "-I", *folder.glob("*.deb"), "control"], check=True, capture_output=True, text=True,
        ).stdout
        self.assertIn("\nRecommends: ca-certificates\n", control)
        # Between releases each commit has a lower version than the next one: otherwise apt would not update.
        commit = subprocess.run(
            ["git", "-C", ROOT, "log", "-1", "--format=%h", "--date=format-local:%Y%m%d%H%M%S"], capture_output=True, text=True,
            check=True, env={**os.environ, "TZ": "UTC"},
        ).stdout.strip()
        self.assertRegex(control, rf"\nVersion: 1\.2\.3~git\d{{14}}\.{commit}\n")
        sums = subprocess.run(
            ["dpkg-deb", "-I", *folder.glob("*.deb"), "md5sums"], check=True, capture_output=True, text=True,
        ).stdout
        (unpacked / "md5sums").write_text(sums)
        subprocess.run(["md5sum", "--check", "--quiet", "md5sums"], check=True, cwd=unpacked)
        files = [path for path in (unpacked / "usr").rglob("*") if path.is_file() and not path.is_symlink()]
        self.assertEqual(len(sums.splitlines()), len(files))
        size = sum((path.stat().st_size + 1023) // 1024 for path in files)
        self.assertIn(f"\nInstalled-Size: {size}\n", control)

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
        command = self.folder / "built"
        command.write_text('#!/bin/sh\necho "$@"\n')
        command.chmod(0o755)
        tree = self.folder / "a folder"

        def make(target):
            subprocess.run(
                ["make", "-C", ROOT, "-o", "build", target, f"INSTALLED={command}", f"DESTDIR={tree}"], check=True,
                capture_output=True, umask=0o077,
            )

        make("install")
        place = tree / "usr/local"
        files = {str(path.relative_to(place)): path for path in place.rglob("*") if path.is_file()}
        profiles = {f"share/pghd/{path.relative_to(ROOT)}" for path in (ROOT / "profiles").rglob("*.json")}
        pages = {f"share/man/man1/{path.name}" for path in (ROOT / "packaging/man").glob("*.1")}
        self.assertIn("share/man/man1/pghd-sync.1", pages)
        self.assertEqual(
            set(files),
            profiles | pages | {
                "bin/pghd", "share/bash-completion/completions/pghd", "share/zsh/site-functions/_pghd",
                "share/fish/vendor_completions.d/pghd.fish",
            },
        )
        self.assertEqual(files["share/zsh/site-functions/_pghd"].read_text(), "--generate-completion-script zsh\n")
        for name, path in files.items():
            self.assertEqual(path.stat().st_mode & 0o777, 0o755 if name == "bin/pghd" else 0o644, name)
        for path in place.rglob("*/"):
            self.assertEqual(path.stat().st_mode & 0o777, 0o755, path)
        make("uninstall")
        self.assertEqual([path for path in tree.rglob("*") if not path.is_dir()], [])

    def test_a_packages_completions_are_where_zsh_looks_for_those_of_packages(self):
        lines = subprocess.run(["make", "-n", "-C", ROOT, "package"], check=True, capture_output=True, text=True).stdout
        self.assertIn("zsh:zsh/vendor-completions/_pghd", lines)
        self.assertIn('".build-install/package/usr/share/', lines)


if __name__ == "__main__":
    unittest.main()
