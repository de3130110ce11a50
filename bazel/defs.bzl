# SPDX-License-Identifier: Apache-2.0
"""mshadow_kernels(): a library of fused kernels from spec files. docs/manual/bazel.md is its manual."""

_ISAS = ["baseline", "avx2", "avx512"]

# Further kinds of output: what they bring, and their files by group, for each spec or for the target.
_EMITS = {
    "blob": struct(brings = [], spec = {"headers": ".blob.h", "sources": ".blob.cc"}, target = {}),
    "c": struct(brings = ["blob"], spec = {}, target = {"headers": "_c.h", "sources": "_c.cc"}),
    "python": struct(brings = ["c", "blob"], spec = {}, target = {"python": ".py .pyi"}),
    "ir": struct(brings = [], spec = {}, target = {"reports": ".ir"}),
    "report_json": struct(brings = [], spec = {}, target = {"reports": ".report.json"}),
    "report_html": struct(brings = [], spec = {}, target = {"reports": ".report.html"}),
    "manifest": struct(brings = [], spec = {}, target = {"reports": ".manifest"}),
}
_GROUPS = ["headers", "texts", "sources", "python", "reports"]

def _stem(file):
    return file.basename[:-len(file.extension) - 1]

def _flags(ctx):
    """The arguments that decide the outputs; paths are from the workspace."""
    flags = ["--name=" + ctx.attr.base, "--isa=" + ",".join(ctx.attr.isa), "--path-base=."]
    flags.append("--emit=" + ",".join(["header", "cpu"] + _kinds(ctx.attr.emit)))
    flags.append("--numerics=" + ctx.attr.numerics)
    if ctx.attr.dtypes:
        flags.append("--dtypes=" + ",".join(ctx.attr.dtypes))
    if ctx.attr.namespace:
        flags.append("--namespace=" + ctx.attr.namespace)
    flags += ctx.attr.options + [spec.path for spec in ctx.files.specs] + ["--"]
    for include in ctx.attr.includes:
        flags.append("-I" + "/".join([p for p in [ctx.label.workspace_root, ctx.label.package, include] if p]))
    return flags + ["-D" + define for define in ctx.attr.defines]

def _kinds(emit):
    """What is emitted besides headers and sources: what is asked for, and what that brings."""
    for kind in emit:
        if kind not in _EMITS:
            fail("emit: expected some of %s, got '%s'" % (", ".join(sorted(_EMITS)), kind))
    return [k for k in _EMITS if k in emit or [e for e in emit if k in _EMITS[e].brings]]

def _names(base, stems, emit):
    """The outputs' names by group."""
    names = {
        "headers": [base + ".h"] + [s + ".gen.h" for s in stems],
        "texts": [s + suffix for s in stems for suffix in [".map.inc", ".loop.inc"]],
        "sources": [s + ".gen.cc" for s in stems],
        "python": [],
        "reports": [],
    }
    for kind in _kinds(emit):
        for group, suffix in _EMITS[kind].spec.items():
            names[group] = names[group] + [s + suffix for s in stems]
        for group, suffixes in _EMITS[kind].target.items():
            names[group] = names[group] + [base + suffix for suffix in suffixes.split(" ")]
    return names

def _codegen_impl(ctx):
    names = _names(ctx.attr.base, [_stem(spec) for spec in ctx.files.specs], ctx.attr.emit)
    files = {
        group: [ctx.actions.declare_file(ctx.attr.base + ".gen/" + name) for name in names[group]]
        for group in _GROUPS
    }
    outputs = [file for group in _GROUPS for file in files[group]]
    inputs = ctx.files.specs + ctx.files.hdrs
    libraries = ctx.files.generator_libraries

    # The generator follows no link out of its directories, and a sandbox is made of links: it gets a
    # copy, which holds what is declared and nothing else.
    ctx.actions.run_shell(
        mnemonic = "MshadowGen",
        progress_message = "mshadow-gen %s" % ctx.label,
        inputs = inputs,
        outputs = outputs,
        tools = [ctx.executable.generator] + libraries,
        arguments = [ctx.executable.generator.path, outputs[0].dirname] + _flags(ctx),
        env = {"LIBRARIES": libraries[0].dirname if libraries else ""},
        command = """set -eu
generator=$PWD/$1 output=$PWD/$2 copy=$(mktemp -d)
shift 2
[ -z "$LIBRARIES" ] || export LD_LIBRARY_PATH="$PWD/$LIBRARIES"
trap 'rm -rf "$copy"' EXIT
cp -RL --parents %s "$copy"
cd "$copy"
"$generator" generate --output-dir="$output" "$@"
""" % " ".join(["'%s'" % file.path for file in inputs]),
    )
    return [
        DefaultInfo(files = depset(outputs)),
        OutputGroupInfo(**{group: depset(files[group]) for group in _GROUPS}),
    ]

_codegen = rule(
    implementation = _codegen_impl,
    attrs = {
        "base": attr.string(mandatory = True),
        "specs": attr.label_list(allow_files = True, mandatory = True),
        "hdrs": attr.label_list(allow_files = True),
        "includes": attr.string_list(),
        "defines": attr.string_list(),
        "isa": attr.string_list(default = _ISAS),
        "dtypes": attr.string_list(),
        "emit": attr.string_list(),
        "numerics": attr.string(default = "strict", values = ["strict", "correct", "contract", "fast"]),
        "namespace": attr.string(),
        "options": attr.string_list(),
        "generator": attr.label(executable = True, cfg = "exec", mandatory = True, allow_single_file = True),
        "generator_libraries": attr.label_list(cfg = "exec", allow_files = True),
    },
)

def mshadow_kernels(
        name,
        specs,
        hdrs = [],
        includes = [],
        defines = [],
        isa = _ISAS,
        dtypes = [],
        emit = [],
        numerics = "strict",
        namespace = "",
        options = [],
        generator = "@mshadow_gen//:mshadow-gen",
        generator_libraries = ["@mshadow_gen//:libraries"],
        runtime = Label("//:runtime"),
        **kwargs):
    """A cc_library of fused kernels; #include "<name>.h".

    Args:
      name: of the library, and of its header
      specs: C++ spec files; outputs are named after them
      hdrs: every header that a spec includes
      includes: include directories of the specs, relative to the package
      defines: definitions for the specs
      isa: instruction sets, of which the best is chosen at run time
      dtypes: only these element types; default: what the specs instantiate
      emit: further outputs: "blob", "c", "python", "ir", "report_json", "report_html", "manifest"
      numerics: "strict", "correct", "contract" or "fast"
      namespace: wraps the outputs
      options: further flags of mshadow-gen, such as "--werror"
      generator: mshadow-gen; see repository.bzl
      generator_libraries: what it loads, in one directory
      runtime: the library behind the kernels
      **kwargs: for cc_library, such as visibility; copts come after -std=c++17, which kernels need
    """
    codegen = name + "_codegen"
    _codegen(
        name = codegen,
        base = name,
        specs = specs,
        hdrs = hdrs,
        includes = includes,
        defines = defines,
        isa = isa,
        dtypes = dtypes,
        emit = emit,
        numerics = numerics,
        namespace = namespace,
        options = options,
        generator = generator,
        generator_libraries = generator_libraries,
        visibility = ["//visibility:private"],
    )
    for group in _GROUPS:
        native.filegroup(
            name = name + "_" + group,
            srcs = [codegen],
            output_group = group,
            visibility = kwargs.get("visibility", None),
        )
    native.cc_library(
        name = name,
        srcs = [name + "_sources"],
        hdrs = [name + "_headers"],
        textual_hdrs = [name + "_texts"],
        includes = [name + ".gen"],
        copts = ["-std=c++17"] + kwargs.pop("copts", []),
        # A shared library for Python has everything, though nothing in it is called.
        alwayslink = "python" in emit,
        deps = [runtime],
        **kwargs
    )
