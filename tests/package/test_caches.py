# SPDX-License-Identifier: Apache-2.0
"""Emitted sources under compiler caches and distributed compilers."""
import os
import pwd
import re
import shutil
import socket
import subprocess
import time
import unittest

from support import CMAKE, PACKAGE, ProjectCase, need, run, skip

CONSUMER_OBJECTS = 6  # step, scale, tuned with its entries for blobs and C, and main


class CcacheTest(ProjectCase):
    def test_the_second_build_compiles_nothing(self):
        need("ccache")
        project = self.project("consumer", flags=[*PACKAGE, "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"])
        project.env = {"CCACHE_DIR": str(project.dir / "cache"), "CCACHE_BASEDIR": str(project.dir),
                       "CCACHE_NOHASHDIR": "1"}
        project.build("app")
        run("ccache", "--zero-stats", env=project.env)
        shutil.rmtree(project.build_dir)
        project.configure()
        run("ccache", "--zero-stats", env=project.env)
        _, compiled, _ = project.build("app")
        self.assertEqual(len(compiled), CONSUMER_OBJECTS)
        stats = dict(line.split("\t") for line in
                     run("ccache", "--print-stats", env=project.env).splitlines())
        self.assertEqual(int(stats["direct_cache_hit"]) + int(stats["preprocessed_cache_hit"]),
                         CONSUMER_OBJECTS)
        self.assertEqual(stats["cache_miss"], "0")
        self.assertEqual(project.run(), "2 2 2\n")


class DistccTest(ProjectCase):
    def daemon(self, directory, name):
        """A distccd on a free port of this machine; (port, log file)."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        log = directory / f"{name}.log"
        log.touch()
        log.chmod(0o666)
        args = ["distccd", "--no-detach", "--daemon", "--port", str(port), "--listen", "127.0.0.1",
                "--allow", "127.0.0.1", "--jobs", "2", "--log-file", str(log), "--enable-tcp-insecure"]
        if os.geteuid() == 0:
            args += ["--user", "distccd" if "distccd" in [u.pw_name for u in pwd.getpwall()] else "nobody"]
        process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        for _ in range(100):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    return port, log
            if process.poll() is not None:
                skip(f"distccd does not start here: {log.read_text()[-500:]}")
            time.sleep(0.1)
        self.fail("distccd does not listen")

    def test_two_daemons(self):
        need("distcc", "distccd")
        directory = self.directory()
        directory.chmod(0o755)
        (directory / "state").mkdir()
        daemons = [self.daemon(directory, name) for name in ("one", "two")]
        hosts = " ".join(f"127.0.0.1:{port}/1" for port, _ in daemons)
        project = self.project("consumer", configure=False, flags=PACKAGE)
        project.flags = [f for f in project.flags if "COMPILER_LAUNCHER" not in f]
        project.configure()
        project.configure("-DCMAKE_CXX_COMPILER_LAUNCHER=distcc")
        # No fallback: what is not compiled by a daemon fails.
        run(CMAKE, "--build", project.build_dir, "--target", "app", "--parallel", "2",
            env={"DISTCC_HOSTS": hosts, "DISTCC_FALLBACK": "0", "DISTCC_DIR": str(directory / "state")})
        self.assertEqual(project.run(), "2 2 2\n")
        compiled = [re.findall(r"COMPILE_OK .*?(\S+\.cc)$", log.read_text(), re.M) for _, log in daemons]
        self.assertEqual(sum(map(len, compiled)), CONSUMER_OBJECTS, compiled)
        self.assertTrue(all(compiled), compiled)


if __name__ == "__main__":
    unittest.main()
