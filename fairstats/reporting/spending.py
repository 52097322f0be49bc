"""What a template may cost: turns of loops, calls and letters are counted, and what would outgrow them is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.runtime import markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from fairstats.limits import most

LARGEST_POWER, LARGEST_BITS = 100, 4096
_WIDE = re.compile(r"\d{6,}|\{[^{}]*\{|%[-+ #0-9.]*\*")  # a width of six digits, or one that is no text of the template
_SIZED = ("ljust", "rjust", "center", "zfill", "expandtabs", "indent", "batch", "slice", "wordwrap")
_TURNS, _JOINED = "_turns", "_joined"


class Spending(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, which bounds neither time nor memory, with both bounded by ``FAIRSTATS_MAX_TEMPLATE``."""

    intercepted_binops = frozenset({"**", "*", "+", "%"})

    def __init__(self, **options: Any) -> None:
        super().__init__(finalize=self._shown, **options)
        self.spent, self.most = 0, most("FAIRSTATS_MAX_TEMPLATE")
        self.filters[_TURNS], self.filters[_JOINED] = self._turns, self._joined
        for name in (*(n for n in _SIZED if n in self.filters), "format", "join"):
            self.filters[name] = self._bounded(name, self.filters[name])

    def spend(self, much: int) -> None:
        """Count what is done; OverflowError where it is more than a report can need."""
        self.spent += max(int(much), 1)
        if self.spent > self.most:
            raise OverflowError(
                f"more than {self.most} turns of loops, calls and letters (the variable FAIRSTATS_MAX_TEMPLATE of the "
                "environment says how many)"
            )

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        return _Counting().visit(tree)  # type: ignore[no-any-return]

    def _turns(self, value: Any) -> Any:
        entries = value if hasattr(value, "__len__") or isinstance(value, jinja2.Undefined) else list(value)
        self.spend(0 if isinstance(value, jinja2.Undefined) else len(entries))
        return entries

    def _joined(self, parts: list[Any]) -> str:
        self.spend(sum(len(part) for part in parts if isinstance(part, str)))
        return markup_join(parts)

    def _shown(self, value: Any) -> Any:
        self.spend(len(value) if isinstance(value, str) else 1)
        return value

    def call(__self, __context: Any, __obj: Any, *args: Any, **options: Any) -> Any:
        """Call what the sandbox lets a template call, and count it."""
        __self.spend(1)
        method = getattr(__obj, "__wrapped__", __obj)
        owner, name = getattr(method, "__self__", None), getattr(method, "__name__", "")
        if isinstance(owner, str):
            __self.spend(_size(name, owner, (*args, *options.values())))
        if __obj is __self.globals["range"]:
            __self.spend(len(range(*(int(part) for part in args))))
        return super().call(__context, __obj, *args, **options)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Sums, products, powers and formats of sizes that a report can need."""
        if operator == "**" and not (abs(left) <= 1_000_000 and abs(right) <= LARGEST_POWER):
            raise OverflowError(f"a power above {LARGEST_POWER}")
        sizes = [len(part) for part in (left, right) if hasattr(part, "__len__")]
        if operator == "%" and isinstance(left, str):
            self.spend(_size("format", left, (right,)))
        elif operator == "*" and sizes:
            self.spend(sizes[0] * max(int(part) for part in (left, right) if not hasattr(part, "__len__")))
        elif sizes:
            self.spend(sum(sizes))
        elif any(isinstance(part, int) and part.bit_length() > LARGEST_BITS for part in (left, right)):
            raise OverflowError(f"a whole number of more than {LARGEST_BITS} bits")
        return super().call_binop(context, operator, left, right)

    def _bounded(self, name: str, made: Callable[..., Any]) -> Callable[..., Any]:
        """A filter that counts what it makes beforehand; what Jinja passes to it first is passed on."""
        passed = 0 if getattr(made, "jinja_pass_arg", None) is None else 1

        def bounded(*args: Any, **options: Any) -> Any:
            value, *rest = args[passed:]
            if name == "join" and not hasattr(value, "__len__"):
                value = list(value)
            if name == "join":
                separator = rest[0] if rest else options.get("d", "")
                self.spend(len(str(separator)) * len(value) + _letters(value))
            else:
                self.spend(_size(name, value if isinstance(value, str) else "", (*rest, *options.values())))
            return made(*args[:passed], value, *rest, **options)

        if passed:
            bounded.jinja_pass_arg = made.jinja_pass_arg  # type: ignore[attr-defined]
        return bounded


class _Counting(NodeTransformer):
    """Loops count their turns; ``~``, which no sandbox sees, counts its letters."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, _TURNS, [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, _JOINED, [], [], None, None, lineno=node.lineno)


def _letters(parts: Any) -> int:
    """The letters of the texts in a list."""
    return sum(len(part) for part in parts if isinstance(part, str))


def _size(name: str, text: str, given: tuple[Any, ...]) -> int:
    """A bound of the letters that a method or filter of text makes.

    Examples
    --------
    >>> _size("ljust", "ab", (10,)), _size("replace", "aab", ("a", "xyz"))
    (12, 9)
    """
    if name in ("format", "format_map"):
        if _WIDE.search(text):
            raise OverflowError(
                f"a format with a width of more than five digits, or one that is computed: {text[:40]!r}"
            )
        return len(text) + sum(len(part) for part in given if isinstance(part, str))
    if name in _SIZED:
        widths = [int(part) for part in given if isinstance(part, (int, float)) and not isinstance(part, bool)]
        widths += [len(part) for part in given if isinstance(part, str)]  # put before lines, or between them
        places = {"indent": text.count("\n"), "wordwrap": len(text)}.get(name, text.count("\t"))
        return len(text) + max([*widths, 0]) * (1 + places)
    if name == "replace" and len(given) > 1:
        return len(text) + text.count(str(given[0])) * len(str(given[1]))
    if name == "join" and given and hasattr(given[0], "__len__"):
        return (len(text) + 1) * len(given[0]) + _letters(given[0])
    if name == "translate" and given and isinstance(given[0], dict):
        return len(text) * max((len(str(part)) for part in given[0].values()), default=1)
    return len(text)
