"""What can stand in the place of a piece of code: the slips of a tired programmer, for any course."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import libcst as cst

_BINARY: dict[type[cst.BaseBinaryOp], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.Add: (cst.Subtract,),
    cst.Subtract: (cst.Add,),
    cst.Multiply: (cst.Divide, cst.Add),
    cst.Divide: (cst.Multiply, cst.FloorDivide),
    cst.FloorDivide: (cst.Multiply, cst.Modulo),
    cst.Modulo: (cst.FloorDivide,),
    cst.MatrixMultiply: (cst.Multiply,),
    cst.Power: (cst.Multiply,),
    cst.BitAnd: (cst.BitOr,),
    cst.BitOr: (cst.BitAnd,),
}
_ORDERED = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Modulo, cst.MatrixMultiply, cst.Power)
_COMPARED: dict[type[cst.BaseCompOp], tuple[type[cst.BaseCompOp], ...]] = {
    cst.LessThan: (cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual),
    cst.LessThanEqual: (cst.LessThan, cst.GreaterThan, cst.GreaterThanEqual),
    cst.GreaterThan: (cst.GreaterThanEqual, cst.LessThan, cst.LessThanEqual),
    cst.GreaterThanEqual: (cst.GreaterThan, cst.LessThan, cst.LessThanEqual),
    cst.Equal: (cst.NotEqual,),
    cst.NotEqual: (cst.Equal,),
    cst.In: (cst.NotIn,),
    cst.NotIn: (cst.In,),
    cst.Is: (cst.IsNot,),
    cst.IsNot: (cst.Is,),
}
_PAIRS = (
    ("tril", "triu"), ("ones", "zeros"), ("max", "min"), ("sum", "mean"), ("argmax", "argmin"), ("any", "all"),
    ("vstack", "hstack"), ("exp", "log"), ("sin", "cos"), ("floor", "ceil"), ("append", "extend"), ("True", "False"),
    ("float", "int"), ("bool", "int"), ("repeat", "tile"), ("sqrt", "log"), ("cat", "stack"),
)  # fmt: skip
_LIKE = {name: pair[1 - place] for pair in reversed(_PAIRS) for place, name in enumerate(pair)}
_COMPOUND = (cst.BinaryOperation, cst.BooleanOperation, cst.Comparison, cst.UnaryOperation, cst.IfExp, cst.Lambda)


def instead(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Other operators, constants, orders and look-alike functions for one node."""
    match node:
        case cst.BinaryOperation():
            for operator in _BINARY.get(type(node.operator), ()):
                yield node.with_changes(operator=operator())
            if isinstance(node.operator, _ORDERED):
                yield node.with_changes(left=_bracketed(node.right), right=_bracketed(node.left))
            yield from map(_bracketed, (node.left, node.right))
        case cst.AugAssign():
            yield cst.Assign([cst.AssignTarget(node.target)], node.value)
        case cst.Comparison(comparisons=[target, *rest]):
            for compared in _COMPARED.get(type(target.operator), ()):
                yield node.with_changes(comparisons=[target.with_changes(operator=compared()), *rest])
        case cst.BooleanOperation():
            yield node.with_changes(operator=cst.Or() if isinstance(node.operator, cst.And) else cst.And())
        case cst.UnaryOperation():
            yield _bracketed(node.expression)
        case cst.Integer():
            yield from (cst.parse_expression(str(node.evaluated_value + step)) for step in (1, -1))
        case cst.Float():
            yield from (cst.Float(repr(value)) for value in (node.evaluated_value * 2, node.evaluated_value / 2))
        case cst.SimpleString() if isinstance(text := node.evaluated_value, str):
            yield cst.SimpleString(repr(text.removeprefix("-") if text.startswith("-") else f"-{text}"))
        case cst.Name(value=name) if name in _LIKE:
            yield cst.Name(_LIKE[name])
        case cst.Attribute(attr=cst.Name(value=name)) if name in _LIKE:
            yield node.with_changes(attr=cst.Name(_LIKE[name]))
        case cst.Call():
            yield from (node.with_changes(args=args) for args in _swapped_arguments(node.args))
            yield from (node.with_changes(args=args) for args in _nudged_arguments(node.args))
            if len(node.args) == 1 and not node.args[0].keyword:
                yield from (node.with_changes(args=[*node.args, cst.Arg(cst.parse_expression(n))]) for n in ("1", "-1"))
        case cst.Tuple() | cst.List():
            yield from (node.with_changes(elements=elements) for elements in _swapped(node.elements))
            yield from (node.with_changes(elements=elements) for elements in _nudged_elements(node.elements))
        case cst.If() | cst.IfExp() | cst.While():
            yield node.with_changes(test=cst.UnaryOperation(cst.Not(), _bracketed(node.test)))
        case cst.Return(value=cst.BaseExpression() as value) if not isinstance(value, cst.SimpleString):
            yield from (node.with_changes(value=other) for other in _reversed(_bracketed(value)))


def dropped(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node without one of its parts: a statement, a call, an argument, a bound, a condition."""
    match node:
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression())]):
            yield node.with_changes(body=[cst.Return()])
        case cst.SimpleStatementLine():
            yield node.with_changes(body=[cst.Pass()])
        case cst.If():
            yield cst.SimpleStatementLine([cst.Pass()], leading_lines=node.leading_lines)
        case cst.For(body=cst.IndentedBlock(body=body)) | cst.While(body=cst.IndentedBlock(body=body)):
            ended = node.body.with_changes(body=[*body, cst.SimpleStatementLine([cst.Break()])])
            yield node.with_changes(body=ended)
        case cst.CompFor(ifs=[_, *_]):
            yield node.with_changes(ifs=[])
        case cst.Call(func=function, args=args):
            if isinstance(function, cst.Attribute):
                yield _bracketed(function.value)
            if args:
                yield _bracketed(args[0].value)
            for index, arg in enumerate(args):
                if len(args) > 1 or arg.keyword:
                    yield node.with_changes(args=_tidy([*args[:index], *args[index + 1 :]]))
        case cst.Subscript():
            yield _bracketed(node.value)
        case cst.Slice():
            if node.lower:
                yield node.with_changes(lower=None)
            if node.upper:
                yield node.with_changes(upper=None)


def looked_up(node: cst.CSTNode, names: Sequence[str]) -> Iterator[cst.CSTNode]:
    """For a variable the next one of the same function."""
    if isinstance(node, cst.Name) and node.value in names and len(names) > 1:
        yield cst.Name(names[(names.index(node.value) + 1) % len(names)])


def _reversed(result: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """A result that is negated, inverted, transposed, and one of which only the first entry is there."""
    yield cst.UnaryOperation(cst.Minus(), result)
    yield cst.UnaryOperation(cst.BitInvert(), result)
    yield cst.Attribute(result, cst.Name("T"))
    yield cst.Subscript(result, [cst.SubscriptElement(cst.Index(cst.Integer("0")))])


def _swapped_arguments(args: Sequence[cst.Arg]) -> Iterator[list[cst.Arg]]:
    for index, (one, other) in enumerate(pairwise(args)):
        if not (one.keyword or other.keyword or one.star or other.star):
            swapped = (one.with_changes(value=other.value), other.with_changes(value=one.value))
            yield [*args[:index], *swapped, *args[index + 2 :]]


def _nudged_arguments(args: Sequence[cst.Arg]) -> Iterator[list[cst.Arg]]:
    for index, arg in enumerate(args):
        for value in _nudged(arg.value):
            yield [*args[:index], arg.with_changes(value=value), *args[index + 1 :]]


def _swapped(elements: Sequence[cst.BaseElement]) -> Iterator[list[cst.BaseElement]]:
    for index, (one, other) in enumerate(pairwise(elements)):
        swapped = (one.with_changes(value=other.value), other.with_changes(value=one.value))
        yield [*elements[:index], *swapped, *elements[index + 2 :]]


def _nudged_elements(elements: Sequence[cst.BaseElement]) -> Iterator[list[cst.BaseElement]]:
    for index, element in enumerate(elements):
        for value in _nudged(element.value):
            yield [*elements[:index], element.with_changes(value=value), *elements[index + 1 :]]


def _nudged(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """A variable in a place where a size or an index may stand: one more and one less."""
    if isinstance(value, cst.Name) and value.value not in _LIKE:
        yield cst.BinaryOperation(value, cst.Add(), cst.Integer("1"))
        yield cst.BinaryOperation(value, cst.Subtract(), cst.Integer("1"))


def _bracketed(value: cst.BaseExpression) -> cst.BaseExpression:
    """The value as one operand, whatever stands around it."""
    if isinstance(value, _COMPOUND) and not value.lpar:
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return value


def _tidy(args: list[cst.Arg]) -> list[cst.Arg]:
    """The last argument without its comma."""
    return [*args[:-1], args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)] if args else args
