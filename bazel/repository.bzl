# SPDX-License-Identifier: Apache-2.0
"""The generator as a repository: an installed mshadow-gen and the libraries that it loads."""

def _impl(ctx):
    path = ctx.path(ctx.attr.path) if ctx.attr.path else ctx.which("mshadow-gen")
    if path == None or not path.exists:
        fail("mshadow-gen: expected an installed one in PATH, or path = \"...\", got none")
    ctx.symlink(path, "mshadow-gen")

    # Clang and what it needs are inputs of every action then; the C library is the platform's.
    listed = ctx.execute(["ldd", str(path)])
    if listed.return_code != 0:
        fail("ldd %s: %s" % (path, listed.stderr))
    for line in listed.stdout.splitlines():
        words = line.strip().split(" ")
        if len(words) < 3 or words[1] != "=>":
            continue
        library = words[0]
        if library.split(".")[0] not in ["libc", "libm", "libdl", "libpthread", "librt"]:
            ctx.symlink(words[2], "lib/" + library)

    ctx.file("BUILD.bazel", """exports_files(["mshadow-gen"])

filegroup(
    name = "libraries",
    srcs = glob(["lib/*"]),
    visibility = ["//visibility:public"],
)
""")

mshadow_gen_repository = repository_rule(
    implementation = _impl,
    attrs = {"path": attr.string(doc = "of mshadow-gen; default: the one in PATH")},
    environ = ["PATH"],
    local = True,
)
