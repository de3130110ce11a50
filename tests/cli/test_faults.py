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

from support import ERROR, FULL, GEN, CliCase, contents, rule, sha256, snapshot

NEW = rule(body="weight = weight - eta * grad * grad;")


def skip(reason):
    """For tests/cli/CMakeLists.txt: one test, one process, one verdict."""
    print(f"SKIP: {reason}")
    raise unittest.SkipTest(reason)


JOURNALS = ("mshadow-gen.undo", "mshadow-gen.done")


def outputs(directory):
    """Contents by name, without what is there only until a run has ended."""
    return {name: data for name, data in contents(directory).items() if ".tmp." not in name and name not in JOURNALS}


def leftovers(directory):
    return sorted(set(os.listdir(directory)) - set(outputs(directory)))


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
            for name, data in outputs(self.out).items():
                self.assertIn(data, (old[name], new[name]), name)
        self.assert_ok(self.generate())
        self.assertEqual(contents(self.out), new)


class SystemCallTest(CliCase):
    """System calls of a run that replaces a set by a smaller one: killed there, or told that they failed."""
    FAULTS = {"openat": "EMFILE", "write": "ENOSPC", "fsync": "EIO", "renameat": "EACCES", "linkat": "EPERM",
              "unlinkat": "EIO", "close": "EIO", "newfstatat": "EIO", "faccessat2": "EIO", "flock": "EIO",
              "getdents64": "EIO"}
    CHANGES = ("openat", "write", "renameat", "linkat", "unlinkat")  # what another run may find later

    def setUp(self):
        super().setUp()
        self.strace = ["strace", "-f", "-qq", "-o", str(self.dir / "trace")]
        try:
            probe = subprocess.run([*self.strace, "true"], capture_output=True, check=False)
        except FileNotFoundError:
            skip("strace is not installed")
        if probe.returncode != 0:
            skip("strace may not trace here")
        self.stamp = self.dir / "toy.stamp"
        self.bad = self.write("bad/step.h", ERROR)
        self.assert_ok(self.generate("--emit=header,cpu,ir,manifest"))
        self.old = contents(self.out)
        self.step.write_text(NEW)
        self.assert_ok(self.generate(out=self.dir / "new"))
        self.new = contents(self.dir / "new")
        self.assertEqual(set(self.old) - set(self.new), {"toy.ir"})

    def run_traced(self, *flags):
        """With the old outputs in place, and a stamp that begins with what none has."""
        shutil.rmtree(self.out)
        self.out.mkdir()
        for name, data in self.old.items():
            (self.out / name).write_bytes(data)
            os.utime(self.out / name, (1000, 1000))
        self.stamp.write_text("old")
        args = [GEN, "generate", "--name=toy", "-o", str(self.out), f"--stamp={self.stamp}",
                f"--depfile={self.out}/toy.d", str(self.step), str(self.scale)]
        # On one processor there is one thread, which makes the same calls each time.
        processor = min(os.sched_getaffinity(0))
        return subprocess.run([*self.strace, *flags, *args], capture_output=True, timeout=120, check=False,
                              preexec_fn=lambda: os.sched_setaffinity(0, {processor})).returncode

    def run_failing(self, *faults):
        """Faults are NAME:error=ERROR, with or without :when=."""
        names = ",".join({fault.split(":")[0] for fault in faults})
        injections = [flag for fault in faults for flag in ("-e", f"inject={fault}")]
        return self.run_traced("--seccomp-bpf", "-e", f"trace={names}", *injections)

    def run_killed(self, name, k, *faults):
        """Without --seccomp-bpf, which takes no notice of signals."""
        injections = [flag for fault in faults for flag in ("-e", f"inject={fault}")]
        status = self.run_traced("-e", f"trace={name},linkat", *injections, "-e",
                                 f"inject={name}:signal=KILL:when={k}")
        self.assertEqual(status, -signal.SIGKILL)

    def found(self):
        return {name: data for name, data in outputs(self.out).items() if name != "toy.d"}

    def calls(self):
        """(name, how many of that name the main thread has made) of each call from the first at the outputs on."""
        self.assertEqual(self.run_traced("--seccomp-bpf", "-e", f"trace={','.join(self.FAULTS)}"), 0)
        self.assertEqual(self.found(), self.new)
        counts, calls, main = collections.Counter(), [], None
        for line in (self.dir / "trace").read_text().splitlines():
            thread, name = line.replace("(", " ").split()[:2]
            main = main or thread
            if thread != main or name not in self.FAULTS:
                continue
            counts[name] += 1
            # As it frees memory, glibc opens a file of /proc, in whichever thread is the first to give a heap back.
            if (calls or f'"{self.out}"' in line) and '"/proc/' not in line:
                calls.append((name, counts[name]))
        self.assertGreater(len(calls), 40, "the trace shows too little")
        return calls

    def times(self, name):
        return range(1, max(k for call, k in self.calls() if call == name) + 1)

    def recover(self):
        """The next run, of a spec with errors: then one set is there, whole, and nothing else."""
        self.assert_status(self.run_gen("generate", "--name=toy", "-o", self.out, self.bad), 1)
        self.assertIn(self.found(), (self.old, self.new))
        if self.stamp.read_text() != "old":
            self.assertEqual(self.found(), self.new)

    def test_killed_there(self):
        mixed = 0
        calls = self.calls()
        locked = next(i for i, (name, _) in enumerate(calls) if name == "flock")
        for name, k in calls[locked:]:
            if name not in self.CHANGES:
                continue
            with self.subTest(call=name, k=k):
                self.run_killed(name, k)
                for file, data in self.found().items():
                    self.assertIn(data, (self.old.get(file), self.new.get(file)), file)
                self.assertLessEqual(set(self.new), set(self.found()))
                half = (self.out / "mshadow-gen.undo").exists() and self.found() not in (self.old, self.new)
                mixed += half
                if half:
                    result = self.check()
                    self.assert_status(result, 3)
                    self.assertIn("an earlier run was killed while it replaced the files", result.stderr)
                self.recover()
                self.assertEqual(leftovers(self.out), [])
        self.assertGreaterEqual(mixed, 3, "no kill was between two renames")
        self.assert_ok(self.generate())
        self.assertEqual(self.found(), self.new)

    def test_failed_there(self):
        refused = 0
        for i, (name, k) in enumerate(self.calls()):
            if not FULL and name not in self.CHANGES and i % 3:
                continue
            error = "EACCES" if name == "newfstatat" and k % 2 else self.FAULTS[name]
            with self.subTest(call=name, error=error, k=k):
                status = self.run_failing(f"{name}:error={error}:when={k}")
                refused += status != 0
                self.assertEqual(self.found(), self.new if status == 0 else self.old)
                self.assertEqual(self.stamp.read_text(), "" if status == 0 else "old")
                # 1: threads count by themselves, so that a parse may not have been able to read.
                self.assertIn(status, (0, 1, 4))
        self.assertGreater(refused, 10, "no call that matters was among them")

    def test_without_hard_links(self):
        """What was is kept as a copy, with its time."""
        no_links = "linkat:error=EPERM"
        self.assertEqual(self.run_failing(no_links), 0)
        self.assertEqual(self.found(), self.new)
        for k in self.times("renameat"):
            with self.subTest(k=k):
                self.assertEqual(self.run_failing(no_links, f"renameat:error=EACCES:when={k}"), 4)
                self.assertEqual(self.found(), self.old)
                self.assertEqual(leftovers(self.out), [])
                for name in self.old:
                    self.assertEqual((self.out / name).stat().st_mtime, 1000, name)
                self.run_killed("renameat", k, no_links)
                self.recover()
                self.assertEqual(leftovers(self.out), [])

    def test_without_locks(self):
        """Nothing tells what a killed run left from what a live one has: no journal, but errors are undone."""
        no_locks = "flock:error=EBADF"
        self.assertEqual(self.run_failing(no_locks), 0)
        self.assertEqual(self.found(), self.new)
        self.assertEqual(leftovers(self.out), [])
        for k in (1, 2, 3):
            with self.subTest(k=k):
                self.assertEqual(self.run_failing(no_locks, f"renameat:error=EACCES:when={k}"), 4)
                self.assertEqual(self.found(), self.old)
                self.assertEqual(leftovers(self.out), [])

    def test_nothing_can_be_put_back(self):
        """No rename works any more: the next run puts back what this one could not."""
        for k in self.times("renameat"):
            with self.subTest(k=k):
                self.assertEqual(self.run_failing(f"renameat:error=EIO:when={k}+"), 4)
                self.recover()
                self.assertEqual(leftovers(self.out), [])

    def test_another_target_removes_what_was_left(self):
        self.run_killed("renameat", 3)
        self.assertNotEqual(leftovers(self.out), [])
        result = self.generate("--emit=cpu", name="other", specs=[self.step])
        self.assert_ok(result)
        self.assertIn("an earlier run was killed while it replaced the files", result.stderr)
        self.assertEqual(leftovers(self.out), [])
        self.assertEqual(outputs(self.out)["scale.gen.cc"], self.old["scale.gen.cc"])
        self.assertIn("toy.ir", outputs(self.out))


class JournalTest(CliCase):
    """A journal may have been written by anyone, and files may have been changed since."""

    def setUp(self):
        super().setUp()
        self.assert_ok(self.generate())

    def journal(self, *entries, suffix=".tmp.7", end="end"):
        (self.out / "mshadow-gen.undo").write_text("\n".join(["mshadow-gen journal 1", suffix, *entries, end, ""]))

    def digest(self, name):
        return sha256((self.out / name).read_bytes())

    def recover(self):
        self.assert_status(self.generate(specs=[self.write("bad/step.h", ERROR)]), 1)

    def test_only_what_the_killed_run_wrote_is_undone(self):
        for name in ("toy.h", "step.gen.h", "scale.gen.h"):
            (self.out / f"{name}.old.tmp.7").write_text("old")
        edited = "// Edited since.\n"
        entries = [f"update {self.digest('toy.h')} toy.h", f"update {self.digest('step.gen.h')} step.gen.h",
                   f"create {self.digest('step.gen.cc')} step.gen.cc", f"create {sha256(b'x')} scale.gen.cc",
                   "delete - scale.gen.h"]
        (self.out / "step.gen.h").write_text(edited)
        before = contents(self.out)
        self.journal(*entries)
        self.recover()
        expected = {name: data for name, data in before.items() if ".tmp." not in name and name != "step.gen.cc"}
        self.assertEqual(contents(self.out), {**expected, "toy.h": b"old"})

    def test_a_dry_run_only_says_so(self):
        self.journal(f"create {self.digest('toy.h')} toy.h")
        before = contents(self.out)
        result = self.generate("--dry-run")
        self.assert_ok(result)
        self.assertIn("an earlier run was killed while it replaced the files", result.stderr)
        self.assertEqual(contents(self.out), before)

    def test_nothing_elsewhere_is_touched(self):
        victim = self.write("victim.txt", "precious")
        self.write("victim.txt.tmp.7", "precious")
        before = {**contents(self.dir)}
        digest = sha256(b"precious")
        self.journal(f"create {digest} ../victim.txt", f"create {digest} {victim}", f"later - {victim}", "create - .",
                     f"create {digest} ..", "nonsense", "")
        self.recover()
        after = {name: data for name, data in contents(self.dir).items() if not name.startswith("bad")}
        self.assertEqual(after, before)

    def test_a_journal_that_says_nothing(self):
        before = contents(self.out)
        for text in ("", "\0\xff", "mshadow-gen journal 1\n", "mshadow-gen journal 2\n.tmp.7\nend\n",
                     f"mshadow-gen journal 1\n.tmp.7\ncreate {self.digest('toy.h')} toy.h\n",
                     f"mshadow-gen journal 1\n.cc\ncreate {self.digest('toy.h')} toy.h\nend\n"):
            with self.subTest(text):
                (self.out / "mshadow-gen.undo").write_text(text)
                self.recover()
                self.assertEqual(contents(self.out), before)


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

    def test_what_is_no_file_is_not_replaced(self):
        """Not by outputs, not by a stamp or a depfile, and not behind a link: /dev/null stays."""
        os.mkfifo(self.dir / "fifo")
        (self.dir / "null").symlink_to("/dev/null")
        (self.dir / "stdout").symlink_to("/proc/self/fd/1")
        (self.dir / "folder").mkdir()
        names = ["fifo", "null", "stdout", "folder"]
        try:
            os.mknod(self.dir / "device", stat.S_IFCHR | 0o666, os.makedev(1, 3))
            names.append("device")
        except PermissionError:
            pass
        inodes = [(self.dir / name).lstat().st_ino for name in names]
        for name in names:
            for flags in ([f"--stamp={self.dir / name}"], [f"--depfile={self.dir / name}", "--stamp=x.stamp"]):
                with self.subTest(flags), open(self.dir / "log", "w", encoding="utf-8") as log:
                    result = self.run_gen_to(log, "generate", "--name=toy", "-o", self.out, *flags, self.step)
                    self.assert_status(result, 4)
                    self.assertRegex(result.stderr, f"cannot replace '.*{name}': (not a regular file; |Is a dir)")
                    self.assertFalse(self.out.exists())
                    self.assertFalse((self.dir / "x.stamp").exists())
        self.assertEqual([(self.dir / name).lstat().st_ino for name in names], inodes)
        self.out.mkdir()
        os.mkfifo(self.out / "step.gen.h")
        self.assert_status(self.generate(), 4)
        self.assertEqual(os.listdir(self.out), ["step.gen.h"])

    def run_gen_to(self, stdout, *args):
        return subprocess.run([GEN, *map(str, args)], cwd=self.dir, stdout=stdout, stderr=subprocess.PIPE, text=True,
                              timeout=120, check=False)


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
