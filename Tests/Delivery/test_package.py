"""What the package holds beside the command, of a small program in its place.

    python3 Tests/Delivery/test_package.py
"""

import shutil
import subprocess
import unittest

from delivery import ROOT, DeliveryTestCase


class Package(DeliveryTestCase):
    def test_it_holds_documents_the_unit_and_the_licences(self):
        if not all(map(shutil.which, ["cc", "strip", "dpkg-deb", "dpkg-shlibdeps"])):
            self.skipTest("a package can't be made here")
        tree, folder = self.folder / "tree", self.folder / "out"
        (tree / "usr/bin").mkdir(parents=True)
        (folder / "checkouts" / "some-library").mkdir(parents=True)
        (folder / "checkouts" / "some-library" / "LICENSE.txt").write_text("as some library has it\n")
        program = self.folder / "program.c"
        program.write_text('#include <stdio.h>\nint main(void) { puts("1.2.3"); }\n')
        subprocess.run(["cc", str(program), "-o", str(tree / "usr/bin/pghd")], check=True)
        subprocess.run([ROOT / "packaging/deb.sh", tree, folder], check=True, capture_output=True)
        unpacked = self.folder / "unpacked"
        subprocess.run(["dpkg-deb", "-x", *folder.glob("pghd_1.2.3_*.deb"), unpacked], check=True)
        documents = unpacked / "usr/share/doc/pghd"
        for name in ["README.md", "docs/watch.md", "docs/options.md", "docs/decisions/0020-keystore.md"]:
            self.assertEqual((documents / name).read_bytes(), (ROOT / name).read_bytes(), name)
        unit = (documents / "examples/pghd-watch.service").read_text()
        self.assertIn("\nExecStart=/usr/bin/pghd watch ", unit)
        self.assertNotIn("/usr/local/bin", unit)
        self.assertEqual((documents / "docs/pghd-watch.service").read_text(), unit)
        licences = (documents / "copyright").read_text()
        self.assertIn((ROOT / "LICENSE").read_text(), licences)
        self.assertIn("pghd holds code of some-library:\n\nas some library has it\n", licences)
        control = subprocess.run(
            ["dpkg-deb", "-I", *folder.glob("*.deb"), "control"], check=True, capture_output=True, text=True,
        ).stdout
        self.assertIn("\nRecommends: ca-certificates\n", control)

    def test_a_command_that_looks_for_libraries_in_its_own_folder_is_refused(self):
        if not all(map(shutil.which, ["cc", "strip", "readelf"])):
            self.skipTest("a package can't be made here")
        tree = self.folder / "tree"
        (tree / "usr/bin").mkdir(parents=True)
        command = tree / "usr/bin/pghd"
        subprocess.run(
            ["cc", "-xc", "-", "-Wl,-rpath,$ORIGIN", "-o", command], input="int main(void) { return 0; }\n", text=True,
            check=True,
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

    def test_profiles_are_installed(self):
        lines = subprocess.run(
            ["make", "-n", "-C", ROOT, "install"], check=True, capture_output=True, text=True,
        ).stdout.splitlines()
        copied = [line.split("-t ")[1].split() for line in lines if "/pghd/profiles" in line]
        self.assertEqual(
            copied,
            [
                [f"/usr/local/share/pghd/profiles{part}", f"profiles{part}/*.json"]
                for part in ["", "/guide", "/examples"]
            ],
        )

    def test_completions_lie_where_the_shell_of_the_system_looks(self):
        for target, place in [
            ("package", "/usr/share/zsh/vendor-completions/_pghd"),
            ("install", "/usr/local/share/zsh/site-functions/_pghd"),
        ]:
            with self.subTest(target):
                lines = subprocess.run(
                    ["make", "-n", "-C", ROOT, target], check=True, capture_output=True, text=True,
                ).stdout.splitlines()
                written = [line for line in lines if "--generate-completion-script zsh" in line]
                self.assertEqual([line.endswith(place) for line in written], [True], written)


if __name__ == "__main__":
    unittest.main()
