"""Expressions of names, calls and values that are written as text, as trees."""

import _python
import _tilewise


class AST:
    _fields = ()

    def __init__(self, *values, **named):
        for name, value in zip(self._fields, values):
            setattr(self, name, value)
        for name, value in named.items():
            setattr(self, name, value)


class expr(AST):
    pass


class Expression(AST):
    _fields = ("body",)


class Name(expr):
    _fields = ("id", "ctx")


class Attribute(expr):
    _fields = ("value", "attr", "ctx")


class Call(expr):
    _fields = ("func", "args", "keywords")


class keyword(AST):
    _fields = ("arg", "value")


class Constant(expr):
    _fields = ("value", "kind")


class List(expr):
    _fields = ("elts", "ctx")


class Tuple(expr):
    _fields = ("elts", "ctx")


class Set(expr):
    _fields = ("elts",)


class Dict(expr):
    _fields = ("keys", "values")


class UnaryOp(expr):
    _fields = ("op", "operand")


class USub(AST):
    pass


class UAdd(AST):
    pass


Num = Str = Bytes = NameConstant = Constant
_CONSTANTS = {"True": True, "False": False, "None": None}


class _Unreadable(Exception):
    pass


class _Reader:
    """A text from left to right."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at:self.at + 1]

    def take(self, sign):
        if self.peek() != sign:
            raise SyntaxError("invalid syntax: " + self.text)
        self.at += 1

    def word(self):
        begin = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or
                                            self.text[self.at] == "_"):
            self.at += 1
        return self.text[begin:self.at]

    def expression(self):
        sign = self.peek()
        if sign in ("-", "+"):
            self.at += 1
            return UnaryOp(USub() if sign == "-" else UAdd(), self.expression())
        node = self.part()
        while True:
            sign = self.peek()
            if sign == ".":
                self.at += 1
                self.peek()
                node = Attribute(node, self.word(), None)
            elif sign == "(":
                node = self.call(node)
            elif sign in ("", ",", ")", "]", "}", ":", "="):
                return node
            else:
                raise _Unreadable()

    def call(self, function):
        self.take("(")
        args, named = [], []
        while self.peek() != ")":
            if self.peek() == "*":
                raise _Unreadable()
            value = self.expression()
            if self.peek() == "=":
                self.at += 1
                if self.peek() == "=" or not isinstance(value, Name):
                    raise _Unreadable()
                named.append(keyword(value.id, self.expression()))
            else:
                args.append(value)
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        return Call(function, args, named)

    def items(self, close):
        found, commas = [], 0
        while self.peek() != close:
            found.append(self.expression())
            if self.peek() == ":" and close == "}":
                self.at += 1
                found[-1] = (found[-1], self.expression())
            if self.peek() != close:
                self.take(",")
                commas += 1
        self.take(close)
        return found, commas

    def part(self):
        sign = self.peek()
        if not sign:
            raise SyntaxError("unexpected EOF while parsing")
        if sign in "([{":
            self.at += 1
            found, commas = self.items({"(": ")", "[": "]", "{": "}"}[sign])
            if sign == "[":
                return List(found, None)
            if sign == "(":
                return found[0] if len(found) == 1 and not commas else Tuple(found, None)
            if found and not isinstance(found[0], tuple):
                return Set(found)
            return Dict([k for k, _ in found], [v for _, v in found])
        if sign in "'\"":
            return Constant(self.quoted(), None)
        if sign.isdigit():
            return Constant(self.number(), None)
        word = self.word()
        if not word:
            raise SyntaxError("invalid syntax: " + self.text)
        if self.text[self.at:self.at + 1] in ("'", '"') and self.text[self.at:]:
            raise _Unreadable()
        return Constant(_CONSTANTS[word], None) if word in _CONSTANTS else Name(word, None)

    def quoted(self):
        begin, sign = self.at, self.text[self.at]
        if self.text[begin:begin + 3] == sign * 3:
            raise _Unreadable()
        self.at += 1
        while self.text[self.at:self.at + 1] != sign:
            if self.at >= len(self.text):
                raise SyntaxError("unterminated string literal")
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1
        return _python.literal_eval(self.text[begin:self.at])

    def number(self):
        begin = self.at
        while self.at < len(self.text):
            sign = self.text[self.at]
            power = sign in "+-" and self.text[self.at - 1] in "eE"
            if not (sign.isalnum() or sign in "._" or power):
                break
            self.at += 1
        return _python.literal_eval(self.text[begin:self.at])


def parse(source, filename="<unknown>", mode="exec", **options):
    """The tree of one expression; programs of statements stay unknown."""
    if _tilewise.is_unknown(source) or not isinstance(source, str) or mode != "eval":
        return _tilewise.unknown("the tree of a program")
    reader = _Reader(source)
    try:
        body = reader.expression()
    except _Unreadable:
        return _tilewise.unknown("the tree of an expression")
    if reader.peek():
        raise SyntaxError("invalid syntax: " + source)
    return Expression(body)


def literal_eval(node_or_string):
    node = node_or_string
    if _tilewise.is_unknown(node):
        return node
    if isinstance(node, str):
        return _python.literal_eval(node)
    if isinstance(node, Expression):
        return literal_eval(node.body)
    if isinstance(node, Constant):
        return node.value
    if isinstance(node, List):
        return [literal_eval(e) for e in node.elts]
    if isinstance(node, Tuple):
        return tuple([literal_eval(e) for e in node.elts])
    if isinstance(node, Set):
        return set([literal_eval(e) for e in node.elts])
    if isinstance(node, Dict):
        return {literal_eval(k): literal_eval(v) for k, v in zip(node.keys, node.values)}
    if isinstance(node, UnaryOp):
        value = literal_eval(node.operand)
        return -value if isinstance(node.op, USub) else value
    if isinstance(node, AST):
        raise ValueError("malformed node or string: " + type(node).__name__)
    return node


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("ast." + name)
