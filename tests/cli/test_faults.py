# SPDX-License-Identifier: Apache-2.0
"""Failures to read and write: status 4, and every file as it was."""
import collections
import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from support import GEN, CliCase, contents, rule, snapshot

NEW = rule(body="weight = weight - eta * grad * grad;")


def skip(reason):
    """For tests/cli/CMakeLists.txt: one test, one process, one verdict."""
    print(f"SKIP: {reason}")
    raise unittest.SkipTest(reason)


class ReadTest(CliCase):
    def test_missing_spec(self):
        result = self.generate(specs=[self.dir / "nowhere.h"])
        self.assert_status(result, 4)
        self.assertIn("nowhere.h", result.stderr)
        self.assertFalse(self.out.exists())

    def test_what_is_no_regular_file_is_not_waited_for(self):
        fifo = self.dir / "fifo.h"
        os.mkfifo(fifo)
        device = self.dir / "device.h"
        device.symlink_to("/dev/zero")
        folder = self.dir / "folder.h"
        folder.mkdir()
        for spec in (fifo, device, folder):
            with self.subTest(spec.name):
                self.assert_status(self.generate(specs=[spec]), 4)

    def test_missing_include_is_an_error_of_the_spec(self):
        self.step.write_text(rule(include='#include "nowhere.h"'))
        self.assert_status(self.generate(), 1)
        self.assertFalse(self.out.exists())

    def test_missing_license(self):
        self.assert_status(self.generate("--license-header=nowhere"), 4)

    def test_a_manifest_that_is_a_directory(self):
        (self.out / "toy.manifest").mkdir(parents=True)
        self.assert_status(self.generate(), 4)
        self.assertEqual(os.listdir(self.out), ["toy.manifest"])


class WriteTest(CliCase):
    """Each test has old outputs, fails to write new ones, and finds the old ones untouched."""

    def setUp(self):
        super().setUp()
        self.assert_ok(self.generate())
        self.step.write_text(NEW)

    def assert_untouched(self, run, status=4):
        before = snapshot(self.dir)
        result = run()
        self.assert_status(result, status)
        self.assertEqual(snapshot(self.dir), before)
        return result

    def test_output_directory_is_a_file(self):
        path = self.write("file", "mine")
        self.assert_untouched(lambda: self.generate(out=path))
        self.assert_untouched(lambda: self.generate(out=path / "below"))

    def test_an_output_is_a_directory(self):
        name = self.out / "step.gen.cc"
        name.unlink()
        name.mkdir()
        self.assert_untouched(self.generate)

    def test_stamp_and_depfile_cannot_be_written(self):
        self.write("file", "mine")
        self.assert_untouched(lambda: self.generate("--stamp=file/x.stamp"))
        self.assert_untouched(lambda: self.generate("--stamp=x.stamp", "--depfile=file/x.d"))

    def test_read_only_directory(self):
        if os.geteuid() == 0:
            skip("root may write everywhere")
        self.out.chmod(0o555)
        self.addCleanup(self.out.chmod, 0o755)
        self.assert_untouched(self.generate)

    def test_file_size_limit(self):
        """Whatever file is the one that is too large."""
        self.assert_ok(self.generate(out=self.dir / "new"))
        old, new = contents(self.out), contents(self.dir / "new")
        sizes = {len(data) for name, data in new.items() if data != old[name]}
        for limit in sorted({0, 1} | {size - 1 for size in sizes}):
            with self.subTest(limit):
                result = self.assert_untouched(lambda: self.generate(
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))
                self.assertIn("File too large", result.stderr)

    def test_new_directory_is_taken_away_again(self):
        out = self.dir / "new" / "deep"
        self.assert_untouched(lambda: self.generate(
            out=out, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))))

    def test_standard_output_is_full(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([GEN, "list", "--kernels", self.step], stdout=full, text=True,
                                    stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(result.returncode, 4)

    def test_next_run_succeeds_and_removes_what_a_killed_one_left(self):
        for name in ("step.gen.h.tmp.123", "step.gen.h.old.tmp.99"):
            self.write(f"out/{name}", "left")
        self.write("out/other.tmp.123", "not ours")
        self.assert_ok(self.generate())
        self.assertEqual([n for n in os.listdir(self.out) if ".tmp." in n], ["other.tmp.123"])
        self.assert_ok(self.check())


class FullDiskTest(CliCase):
    def test_full_disk(self):
        """A file system of a few pages: every amount of free space up to enough."""
        disk = self.dir / "disk"
        disk.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk],
                              capture_output=True, text=True, check=False)
        if made.returncode != 0:
            skip("mounting a small tmpfs is not permitted")
        self.addCleanup(subprocess.run, ["umount", disk], check=False)
        out = disk / "out"
        self.assert_ok(self.generate(out=out))
        before = contents(out)
        self.step.write_text(NEW)
        used = os.statvfs(disk)
        free = used.f_bfree * used.f_frsize
        for left in range(0, free, 4096):
            filler = disk / "filler"
            filler.write_bytes(b"x" * (free - left))
            result = self.generate(out=out)
            filler.unlink()
            if result.returncode == 0:
                break
            self.assert_status(result, 4)
            self.assertIn("No space left", result.stderr)
            self.assertEqual(contents(out), before)
        self.assertEqual(result.returncode, 0)
        self.assertGreater(left, 0)


class KillTest(CliCase):
    def test_killed_at_any_time(self):
        """What is there is old or new, file by file; the next run makes all of it new."""
        self.assert_ok(self.generate())
        old = contents(self.out)
        took = time.monotonic()
        self.step.write_text(NEW)
        self.assert_ok(self.generate(out=self.dir / "new"))
        took = time.monotonic() - took
        new = contents(self.dir / "new")
        source = random.Random(1)
        for _ in range(40):
            for name, data in old.items():
                (self.out / name).write_bytes(data)
            args = [GEN, "generate", "--name=toy", "-o", str(self.out), str(self.step), str(self.scale)]
            process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(source.random() * took)
            process.send_signal(source.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            process.wait()
            for name, data in contents(self.out).items():
                if ".tmp." not in name:
                    self.assertIn(data, (old[name], new[name]), name)
        self.assert_ok(self.generate())
        self.assertEqual(contents(self.out), new)


class SystemCallTest(CliCase):
    """Every system call from the first lock on: killed there, or told that it failed."""
    FAULTS = {"openat": "EMFILE", "write": "ENOSPC", "fsync": "EIO", "renameat": "EACCES", "linkat": "EPERM",
              "unlinkat": "EIO", "close": "EIO", "newfstatat": "EIO", "faccessat2": "EIO", "flock": "EIO",
              "getdents64": "EIO"}

    def setUp(self):
        super().setUp()
        self.trace = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", str(self.dir / "trace")]
        try:
            probe = subprocess.run([*self.trace, "true"], capture_output=True, check=False)
        except FileNotFoundError:
            skip("strace is not installed")
        if probe.returncode != 0:
            skip("strace may not trace here")
        self.assert_ok(self.generate())
        self.old = contents(self.out)
        self.step.write_text(NEW)
        self.assert_ok(self.generate(out=self.dir / "new"))
        self.new = contents(self.dir / "new")

    def run_traced(self, *flags):
        """With the old outputs in place."""
        shutil.rmtree(self.out)
        self.out.mkdir()
        for name, data in self.old.items():
            (self.out / name).write_bytes(data)
        args = [GEN, "generate", "--name=toy", "-o", str(self.out), str(self.step), str(self.scale)]
        return subprocess.run([*self.trace, *flags, *args], capture_output=True, timeout=120, check=False).returncode

    def calls(self):
        """(name, how many of that name the main thread has made) of each call from the lock on."""
        self.assertEqual(self.run_traced("-e", f"trace={','.join(self.FAULTS)}"), 0)
        self.assertEqual(contents(self.out), self.new)
        counts, calls, main = collections.Counter(), [], None
        for line in (self.dir / "trace").read_text().splitlines():
            thread, name = line.replace("(", " ").split()[:2]
            main = main or thread
            if thread != main or name not in self.FAULTS:
                continue
            counts[name] += 1
            if counts["flock"]:
                calls.append((name, counts[name]))
        self.assertGreater(len(calls), 40, "the trace shows too little")
        return calls

    def test_killed_there(self):
        for name, k in self.calls():
            with self.subTest(call=name, k=k):
                self.run_traced("-e", f"trace={name}", "-e", f"inject={name}:signal=KILL:when={k}")
                for file, data in contents(self.out).items():
                    if ".tmp." not in file:
                        self.assertIn(data, (self.old[file], self.new[file]), file)
                self.assertEqual({file for file in contents(self.out) if ".tmp." not in file}, set(self.old))
        self.assert_ok(self.generate())
        self.assertEqual(contents(self.out), self.new)  # what the killed ones left is gone, too

    def test_failed_there(self):
        refused = 0
        for name, k in self.calls():
            with self.subTest(call=name, k=k):
                status = self.run_traced("-e", f"trace={name}",
                                         "-e", f"inject={name}:error={self.FAULTS[name]}:when={k}")
                found = {file: data for file, data in contents(self.out).items() if ".tmp." not in file}
                refused += status != 0
                self.assertEqual(found, self.new if status == 0 else self.old)
                # 1: threads count by themselves, so that a parse may not have been able to read.
                self.assertIn(status, (0, 1, 4))
        self.assertGreater(refused, 10, "no call that matters was among them")


class LinkTest(CliCase):
    def test_links_are_replaced_not_followed(self):
        victim = self.write("victim.txt", "precious")
        self.out.mkdir()
        (self.out / "step.gen.h").symlink_to(victim)
        (self.out / "toy.manifest").symlink_to(victim)
        (self.out / "toy.h").symlink_to(self.dir / "nowhere")
        self.assert_ok(self.generate())
        self.assertEqual(victim.read_text(), "precious")
        self.assertFalse((self.dir / "nowhere").exists())
        for path in self.out.iterdir():
            self.assertFalse(path.is_symlink(), path)

    def test_the_output_directory_may_be_a_link(self):
        real = self.dir / "real"
        real.mkdir()
        self.out.symlink_to(real)
        self.assert_ok(self.generate())
        self.assertTrue((real / "toy.h").exists())

    def test_special_files_are_replaced(self):
        self.out.mkdir()
        os.mkfifo(self.out / "step.gen.h")
        self.assert_ok(self.generate())
        self.assertTrue(stat.S_ISREG((self.out / "step.gen.h").lstat().st_mode))


class ParallelTest(CliCase):
    def test_many_at_once(self):
        args = [GEN, "generate", "--name=toy", "-o", str(self.out), "--stamp", str(self.out / "stamp"),
                str(self.step), str(self.scale)]
        runs = [subprocess.Popen(args, stderr=subprocess.PIPE) for _ in range(32)]
        for run in runs:
            _, stderr = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 0, stderr)
        self.assert_ok(self.check())
        self.assertFalse([n for n in os.listdir(self.out) if ".tmp." in n])


class DeterminismTest(CliCase):
    EMIT = "--emit=header,cpu,cuda,ir,report_json,manifest"

    def outputs(self, *args, **options):
        with tempfile.TemporaryDirectory() as out:
            self.assert_ok(self.generate(self.EMIT, f"--path-base={self.dir}", *args, out=out, **options))
            return contents(out)

    def test_environment_does_not_matter(self):
        usual = self.outputs()
        for env in ({"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": "de_DE.UTF-8"}, {"TZ": "Asia/Tokyo", "LANG": "C"},
                    {"CPATH": "/nonexistent", "CPLUS_INCLUDE_PATH": str(self.dir)},
                    {"HOME": "/nonexistent", "USER": "nobody", "SOURCE_DATE_EPOCH": "0"}):
            with self.subTest(env):
                self.assertEqual(self.outputs(env=env), usual)

    def test_order_of_specs_does_not_matter(self):
        self.assertEqual(self.outputs(specs=[self.scale, self.step]), self.outputs())

    def test_place_and_spelling_of_paths_do_not_matter(self):
        usual = self.outputs()
        self.assertEqual(self.outputs(cwd="/", umask=0o077), usual)
        self.assertEqual(self.outputs(specs=["step.h", "./scale.h"]), usual)
        self.assertEqual(self.outputs(specs=[f"../{self.dir.name}/step.h", self.scale]), usual)

    def test_another_directory_gives_the_same_bytes(self):
        usual = self.outputs()
        with tempfile.TemporaryDirectory(prefix="mshadow an other ") as other:
            for path in (self.step, self.scale):
                (pathlib.Path(other) / path.name).write_text(path.read_text())
            with tempfile.TemporaryDirectory() as out:
                self.assert_ok(self.generate(self.EMIT, out=out, cwd=other, specs=["scale.h", "step.h"]))
                self.assertEqual(contents(out), usual)

    def test_copied_binary_needs_nothing_beside_it(self):
        """The headers of Clang and of the runtime are inside."""
        usual = self.outputs()
        copy = self.dir / "bin" / "mshadow-gen"
        copy.parent.mkdir()
        copy.write_bytes(pathlib.Path(GEN).read_bytes())
        copy.chmod(0o755)
        with tempfile.TemporaryDirectory() as out:
            result = subprocess.run(
                [copy, "generate", "--name=toy", "-o", out, self.EMIT, self.step, self.scale],
                capture_output=True, text=True, timeout=120, check=False)
            self.assert_ok(result)
            self.assertEqual(contents(out), usual)


if __name__ == "__main__":
    sys.exit(unittest.main())
