# SPDX-License-Identifier: Apache-2.0
"""Rules whose names the emitted Python module has or uses itself: they get others."""
import ast
import builtins
import collections
import keyword

from support import CliCase, rule

# Keywords or macros of C++: no rule can have them.
NO_NAMES = {"and", "assert", "break", "class", "continue", "else", "for", "if", "int", "not", "operator", "or",
            "return", "struct", "try", "while"}


def defined(tree):
    """How often each name is defined at the top of a module."""
    names = collections.Counter()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] += 1
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return names


def used(tree):
    """The names of Python's that a module uses."""
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and hasattr(builtins, n.id)}


class PythonNames(CliCase):
    def module(self, base, *names):
        specs = [self.write(f"{base}_{i}.h", rule(name, namespace=f"toy{i}")) for i, name in enumerate(names)]
        self.gen("generate", "-o", self.out, f"--name={base}", "--emit=python", *specs)
        module, stub = (ast.parse((self.out / f"{base}{suffix}").read_text()) for suffix in (".py", ".pyi"))
        self.check_stub(defined(module), defined(stub))
        return module

    def check_stub(self, module, stub):
        """It has each public name once, and what only types need."""
        for own in ("array", "typing", "TensorLike"):
            self.assertEqual(stub.pop(own), 1)
        self.assertEqual(set(stub.values()), {1})
        imported = {"contextlib", "ctypes", "operator", "struct", "sys", "threading"}
        public = [{name for name in names if name[0] != "_"} for names in (module, stub)]
        self.assertEqual(public[0] - imported, public[1])

    def gen(self, *args):
        run = self.run_gen(*args)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_no_rule_takes_a_name_of_the_module(self):
        plain = self.module("plain", "Step")
        own = defined(plain)
        self.assertEqual((own.pop("Step"), own.pop("_call_Step")), (1, 1))
        self.assertEqual([name for name in own if name.startswith("_call_")], [])
        taken = set(own) | used(plain) | set(keyword.kwlist)
        names = sorted(name for name in taken - NO_NAMES if name[0] != "_")  # no rule has one
        self.assertTrue({"len", "hasattr", "range", "tensor", "sys", "lambda"} <= set(names))
        module = self.module("taken", *names)
        again = defined(module)
        self.assertEqual([name for name, times in again.items() if times > 1], [])
        self.assertEqual([name for name in names if again[name] > own[name]], [])
        self.assertEqual([name for name in names if not again[name + "_"]], [])
