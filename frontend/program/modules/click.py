"""Commands from decorated functions."""

from _tilewise_arguments import not_defined


class ClickException(Exception):
    pass


class UsageError(ClickException):
    pass


class BadParameter(UsageError):
    pass


class ParamType:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, text):
        return text


class Path(ParamType):
    pass


class File(ParamType):
    pass


class Choice(ParamType):
    def __init__(self, choices, case_sensitive=True):
        self.choices = choices


class _Number(ParamType):
    def __init__(self, min=None, max=None, **kwargs):
        pass


class IntRange(_Number):
    def __call__(self, text):
        return int(text)


class FloatRange(_Number):
    def __call__(self, text):
        return float(text)


INT, FLOAT, STRING, BOOL = int, float, str, bool


def _truth(text):
    return text if isinstance(text, bool) else str(text).lower() in ("1", "true", "t", "yes", "y")


class _Param:
    def __init__(self, names, kwargs, positional):
        self.positional = positional
        self.off = {}
        flags = []
        dest = None
        for name in names:
            if not name.startswith("-"):
                dest = name
                continue
            on, slash, off = name.partition("/")
            flags.append(on.strip())
            if slash:
                self.off[off.strip()] = True
        self.flags = flags
        best = max(flags, key=len) if flags else names[0]
        self.name = (dest or best).lstrip("-").replace("-", "_").lower()
        kind = kwargs.get("type")
        default = kwargs.get("default")
        if kind is None and default is not None and not isinstance(default, (list, tuple)):
            kind = type(default)
        self.kind = _truth if kind is bool else kind
        self.multiple = kwargs.get("multiple", False)
        self.nargs = kwargs.get("nargs", 1)
        self.count = kwargs.get("count", False)
        self.is_flag = kwargs.get("is_flag", False) or bool(self.off) or "flag_value" in kwargs
        self.flag_value = kwargs.get("flag_value", True)
        if default is None and self.multiple:
            default = ()
        if default is None and self.is_flag and "default" not in kwargs:
            default = False
        if self.count:
            default = default or 0
        self.required = kwargs.get("required", positional and default is None
                                   and self.nargs != -1)
        self.default = default
        self.callback = kwargs.get("callback")

    def convert(self, text):
        return text if self.kind is None or isinstance(text, tuple) else self.kind(text)


class Context:
    def __init__(self, command):
        self.command = command
        self.obj = None
        self.params = {}
        self.invoked_subcommand = None

    def ensure_object(self, kind):
        if self.obj is None:
            self.obj = kind()
        return self.obj

    def invoke(self, function, *args, **kwargs):
        if isinstance(function, Command):
            function = function.callback
        return function(*args, **kwargs)


class Command:
    def __init__(self, callback, params, name=None):
        self.callback = callback
        self.params = params
        self.name = name or getattr(callback, "__name__", "command").replace("_", "-")
        self.commands = {}
        self.__name__ = getattr(callback, "__name__", "command")

    def __call__(self, *args, **kwargs):
        return self.main(*args, **kwargs)

    def main(self, args=None, prog_name=None, standalone_mode=True, obj=None, **kwargs):
        import sys
        context = Context(self)
        context.obj = obj
        return self._run(list(sys.argv[1:] if args is None else args), context)

    def _run(self, args, context):
        values, plain = {}, []
        table = {}
        for p in self.params:
            for flag in p.flags:
                table[flag] = (p, True)
            for flag in p.off:
                table[flag] = (p, False)
        while args:
            text = args.pop(0)
            head, equals, tail = text.partition("=")
            if head not in table and text[:1] == "-" and text[:2] in table:
                p = table[text[:2]][0]
                args[:0] = [text[:2], text[2:] if not (p.is_flag or p.count) else "-" + text[2:]]
                continue
            if head not in table:
                if self.commands and text in self.commands:
                    args.insert(0, text)
                    break
                if text[:2] == "--":
                    not_defined(head)
                else:
                    plain.append(text)
                continue
            p, on = table[head]
            if p.count:
                values[p.name] = values.get(p.name, 0) + 1
            elif p.is_flag:
                values[p.name] = p.flag_value if on else False
            else:
                n = p.nargs
                texts = [tail] if equals else args[:n]
                if not equals:
                    del args[:n]
                one = p.convert(texts[0]) if n == 1 else tuple([p.convert(t) for t in texts])
                values[p.name] = (*values.get(p.name, ()), one) if p.multiple else one
        for p in self.params:
            if p.positional and plain:
                n = len(plain) if p.nargs == -1 else p.nargs
                texts = [p.convert(t) for t in plain[:n]]
                plain = plain[n:]
                values[p.name] = texts[0] if p.nargs == 1 else tuple(texts)
            elif p.name not in values:
                if p.required:
                    import _tilewise
                    values[p.name] = _tilewise.unknown(
                        f"argument {p.flags[-1] if p.flags else p.name}, which has no default")
                elif p.positional and p.nargs == -1:
                    values[p.name] = ()
                else:
                    values[p.name] = p.default() if callable(p.default) else p.default
            if p.callback is not None:
                values[p.name] = p.callback(context, p, values[p.name])
        if self.commands and not args:
            args = self._training()
        context.params = values
        context.invoked_subcommand = args[0] if args else None
        if getattr(self.callback, "_wants_context", False):
            result = self.callback(context, **values)
        else:
            result = self.callback(**values)
        if self.commands and args and args[0] in self.commands:
            return self.commands[args[0]]._run(args[1:], context)
        return result

    def _training(self):
        """The command that trains, where a group is started without one."""
        for name in self.commands:
            if "train" in name.lower() or name.lower() == "fit":
                import _tilewise
                _tilewise.note("no command is given; " + name + " is taken")
                return [name]
        return []

    def command(self, name=None, **kwargs):
        def decorate(function):
            made = command(name, **kwargs)(function)
            self.commands[made.name] = made
            return made
        if callable(name):
            function, name = name, None
            return decorate(function)
        return decorate

    def group(self, name=None, **kwargs):
        return self.command(name, **kwargs)

    def add_command(self, other, name=None):
        self.commands[name or other.name] = other


Group = Command


def command(name=None, cls=None, **kwargs):
    def decorate(function):
        return Command(function, list(reversed(getattr(function, "_click_params", []))),
                       name if isinstance(name, str) else None)
    return decorate(name) if callable(name) else decorate


group = command


def _adder(positional):
    def make(*names, **kwargs):
        def decorate(function):
            target = function if not isinstance(function, Command) else function.callback
            if not hasattr(target, "_click_params"):
                target._click_params = []
            target._click_params.append(_Param(names, kwargs, positional))
            return function
        return decorate
    return make


option = _adder(False)
argument = _adder(True)


def pass_context(function):
    function._wants_context = True
    return function


pass_obj = pass_context


def version_option(*args, **kwargs):
    return lambda function: function


help_option = version_option


def echo(message="", *args, **kwargs):
    print(message)


secho = echo


def style(text, *args, **kwargs):
    return text


def confirm(*args, **kwargs):
    return True


def prompt(text, default=None, **kwargs):
    return default
