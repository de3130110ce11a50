# SPDX-License-Identifier: Apache-2.0
"""Makes a failing rule smaller while it fails in the same way."""
import copy
import re

from random_spec import Expr, Stmt


def expressions(rule):
    """Every place that holds an expression: (list, index)."""
    places = []
    stack = [rule.body]
    while stack:
        for statement in stack.pop():
            if isinstance(statement, Stmt):
                stack += [statement.exprs] + statement.blocks
                places += [(statement.exprs, i) for i in range(len(statement.exprs))]
            else:
                stack.append(statement.kids)
                places += [(statement.kids, i) for i in range(len(statement.kids))]
    return places


def blocks(rule):
    """Every list of statements."""
    found = [rule.body]
    for block in found:
        for statement in block:
            found += statement.blocks
    return found


def smaller(rule):
    """Copies of the rule, each with one thing less."""
    def changed(change):
        other = copy.deepcopy(rule)
        change(other)
        return other

    if len(rule.instances) > 1:
        for instance in rule.instances:
            yield changed(lambda r: setattr(r, 'instances', [instance]))
    for b, block in enumerate(blocks(rule)):
        for i, statement in enumerate(block):
            yield changed(lambda r: blocks(r)[b].pop(i))
            for k in range(len(statement.blocks)):
                def flatten(r):
                    inner = blocks(r)[b]
                    inner[i:i + 1] = inner[i].blocks[k]
                yield changed(flatten)
    for e, (owner, i) in enumerate(expressions(rule)):
        old = owner[i]
        plain = [t for t in rule.tensors if t.type == old.type and not t.row]
        choices = [kid for kid in old.kids if kid.type == old.type]
        choices += [Expr(t.name, type=t.type) for t in plain[:2] if t.name != old.text]
        choices += [Expr('tcast<%s>(%s)' % (old.type, rule.tensors[0].name), type=old.type)
                    ] if old.kids and old.type and not plain else []
        for choice in choices:
            def replace(r):
                places, at = expressions(r)[e]
                places[at] = copy.deepcopy(choice)
            yield changed(replace)
    used = str(rule)
    for name, text in rule.ops.items():
        lines = text.split('\n')
        # A body without its lines but the last, which returns or saves.
        for i, line in enumerate(lines):
            if name + ' ' in used and line.startswith('    if'):
                yield changed(lambda r: r.ops.__setitem__(
                    name, '\n'.join(lines[:i] + lines[i + 1:])))


def shrink(rule, fails, rounds=12, width=24):
    """`fails(rules)` gives the numbers of those that fail as the rule does."""
    if rule.fixed:
        return rule
    for _ in range(rounds):
        tried = {}
        for other in smaller(rule):
            if len(str(other)) < len(str(rule)):
                tried.setdefault(str(other), other)
        candidates = sorted(tried.values(), key=lambda r: len(str(r)))
        # The boldest first, and some of the others.
        step = max(1, len(candidates) // width)
        candidates = candidates[:width // 2] + candidates[width // 2::step][:width // 2]
        for n, other in enumerate(candidates):
            renumber(other, n)
        failing = fails(candidates) if candidates else set()
        best = [other for other in candidates if other.number in failing]
        if not best:
            return rule
        rule = min(best, key=lambda r: len(str(r)))
    return rule


def renumber(rule, number):
    """Gives a rule another number, and its operators names with it."""
    old = rule.name
    if number == rule.number:
        return
    rule.number = number
    names = {name: 'op%d_%d' % (number, i) for i, name in enumerate(rule.ops)}

    def renamed(text):
        for name, new in sorted(names.items(), key=lambda pair: -len(pair[0])):
            text = replace_word(text, name, new)
        return replace_word(replace_word(text, old + 'Inner', rule.name + 'Inner'), old, rule.name)

    rule.ops = {names[name]: renamed(text) for name, text in rule.ops.items()}
    rule.inner = renamed(rule.inner) if rule.inner else None
    stack = list(rule.body)
    while stack:
        item = stack.pop()
        item.text = renamed(item.text)
        stack += item.kids if isinstance(item, Expr) else item.exprs + sum(item.blocks, [])


def replace_word(text, word, new):
    return re.sub(r'\b%s\b' % re.escape(word), new, text)
