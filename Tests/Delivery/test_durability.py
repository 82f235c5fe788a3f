#!/usr/bin/env python3
"""What is on disk before the next step: bytes before the name, the name before the end, the ledger before a Bundle.

    python3 Tests/Delivery/test_durability.py
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase
from scripted_server import ScriptedServer

CALLS = "fsync,fdatasync,rename,renameat,renameat2,link,linkat,write,writev,pwrite64,sendto,sendmsg"


def may_trace():
    """Whether strace is installed and allowed to trace a process."""
    return shutil.which("strace") and not subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode


@unittest.skipUnless(may_trace(), "strace is not installed, or not allowed here")
class Durability(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        # One Bundle, so that nothing else is recorded while it is sent.
        self.export = exports.write(self.folder / "export.xml", exports.samples(20)[:20])

    def calls(self, arguments, *wanted):
        """The names of the system calls whose text contains one of `wanted`, in order; descriptors are shown as file
        names.

        A write or send counts from its beginning, a sync from its end.
        """
        trace = self.folder / "trace"
        subprocess.run(
            ["strace", "-f", "-y", "-o", trace, "-e", f"trace={CALLS}", *arguments],
            check=True, capture_output=True, env=self.environment(), timeout=120,
        )
        calls, begun = [], {}
        for line in trace.read_text().splitlines():
            thread, call = line.split(maxsplit=1)
            if "sync resumed>" in call:
                calls.append(begun.pop(thread) + call)
            elif "sync(" in call and call.endswith("<unfinished ...>"):
                begun[thread] = call
            elif "resumed>" not in call:
                calls.append(call)
        # SQLite uses either, depending on its build; each of them has to succeed.
        names = [(re.sub("^fdatasync", "fsync", re.match(r"\W*\w+", call)[0]), call) for call in calls]
        for name, call in names:
            self.assertFalse(name == "fsync" and not call.endswith(" = 0"), call)
        return [name for name, call in names if any(text in call for text in wanted)]

    def test_a_file_is_on_disk_before_it_has_its_name(self):
        convert = [PGHD, "convert", str(self.export), "--patient", "p1", "-o", str(self.folder / "out.ndjson")]
        for more, naming in ([], "link"), (["--force"], "rename"):
            with self.subTest(naming):
                *writes, sync, name = self.calls([*convert, *more], ".part")
                self.assertEqual((set(writes), sync, name), ({"writev"}, "fsync", naming))

    def test_an_interrupted_run_removes_what_it_has_begun_even_on_a_slow_disk(self):
        export = exports.write(self.folder / "large.xml", exports.samples(6000))
        for form in ["--split"], ["--format", "resources"], []:
            with self.subTest(form=form):
                out = self.folder / ("".join(form).strip("-") or "single")
                target = f"{out}/" if form else str(out / "bundles.ndjson")
                out.mkdir(parents=True, exist_ok=True)
                command = [PGHD, "convert", str(export), "--patient", "p1", "-o", target, "--quiet", *form]
                slow = ["-e", "trace=write,writev", "-e", "inject=write,writev:delay_enter=3000000:when=6+"]
                tracer = subprocess.Popen(
                    ["strace", "-f", "-qq", "-o", "/dev/null", *slow, *command], stderr=subprocess.DEVNULL,
                    env=self.environment(),
                )
                self.until(lambda: any(out.rglob("*.part")) or tracer.poll() is not None)
                time.sleep(1)
                self.assertIsNone(tracer.poll())
                (run,) = Path(f"/proc/{tracer.pid}/task/{tracer.pid}/children").read_text().split()
                os.kill(int(run), signal.SIGINT)
                self.assertEqual(tracer.wait(timeout=60), 130)
                self.assertEqual([path.name for path in out.rglob("*") if path.is_file()], [])

    def test_a_rebuilt_ledger_is_synced_before_it_is_renamed_and_its_folder_afterwards(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            verify = self.arguments("verify", self.export, server, "--rebuild")
            *_, write, sync, name, folder = self.calls(verify, ".rebuild>", '.rebuild"', f"<{self.folder / 'ledger'}>")
        self.assertEqual((write, sync, name, folder), ("pwrite64", "fsync", "rename", "fsync"))

    def test_a_run_that_finds_nothing_new_reads_only_a_small_part_of_the_ledger(self):
        export = exports.write(self.folder / "large.xml", exports.samples(20_000))
        trace, ledger = self.folder / "trace", self.folder / "ledger"
        with ScriptedServer() as server:
            self.sync(export, server)
            size = sum(file.stat().st_size for file in ledger.glob("*.ledger"))
            subprocess.run(
                ["strace", "-f", "-y", "-o", trace, "-e", "trace=pread64", *self.arguments("sync", export, server)],
                check=True, capture_output=True, env=self.environment(), timeout=120,
            )
        calls = [line for line in trace.read_text().splitlines() if ".ledger>" in line]
        read = sum(int(line.rpartition(" = ")[2]) for line in calls)
        self.assertLess(0, read)
        self.assertLess(read, size / 4, f"{read} of {size} bytes")

    def test_the_ledger_is_on_disk_before_a_bundle_is_sent(self):
        with ScriptedServer() as server:
            calls = self.calls(self.arguments("sync", self.export, server, "--conditional"), ".ledger-wal>", '"POST ')
            self.assertEqual([status for _, _, status in server.posts], [200])
        (post,) = [number for number, name in enumerate(calls) if name.startswith("send")]
        # SQLite syncs the beginning of its log in any case: what counts is what was written last.
        self.assertEqual(calls[post - 2 : post], ["pwrite64", "fsync"])


if __name__ == "__main__":
    unittest.main()
