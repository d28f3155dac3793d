"""Command-line arguments, read from sys.argv. A parser never ends the program: a required
argument that is not given becomes an unknown value."""

import _tilewise_arguments as _assumed
import _tilewise_hints as _hints

SUPPRESS = "==SUPPRESS=="
OPTIONAL = "?"
ZERO_OR_MORE = "*"
ONE_OR_MORE = "+"
REMAINDER = "..."
PARSER = "A..."


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument = argument
        self.argument_name = getattr(argument, "dest", None)
        self.message = message

    def __str__(self):
        return f"argument {self.argument_name}: {self.message}"


class ArgumentTypeError(Exception):
    pass


# What launchers of one process per device give, and what a single process has.
_OF_LAUNCHERS = {"rank": 0, "local_rank": 0, "gpu": 0, "world_size": 1}


class Namespace:
    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    def __getattr__(self, name):
        if name not in _OF_LAUNCHERS:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        value = _OF_LAUNCHERS[name]
        import _tilewise
        _tilewise.note(f"{name}, which a launcher of processes gives, is not known; {value} is "
                       "taken: a single process")
        return value

    def _get_kwargs(self):
        return list(vars(self).items())

    def _get_args(self):
        return []

    def __contains__(self, name):
        return name in self.__dict__

    def __repr__(self):
        inside = ", ".join([f"{k}={v!r}" for k, v in self.__dict__.items()])
        return f"{type(self).__name__}({inside})"


class HelpFormatter:
    def __init__(self, *args, **kwargs):
        pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(HelpFormatter):
    pass


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class FileType:
    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        self._mode = mode

    def __call__(self, path):
        return open(path, self._mode)


class Action:
    takes = None

    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None,
                 choices=None, required=False, help=None, metavar=None, **kwargs):
        self.option_strings = option_strings
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)

    def format_usage(self):
        return self.option_strings[0]


class _Store(Action):
    pass


class _StoreConst(Action):
    takes = 0

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrue(_StoreConst):
    def __init__(self, option_strings, dest, default=False, **kwargs):
        kwargs["const"] = True
        super().__init__(option_strings, dest, default=default, **kwargs)


class _StoreFalse(_StoreConst):
    def __init__(self, option_strings, dest, default=True, **kwargs):
        kwargs["const"] = False
        super().__init__(option_strings, dest, default=default, **kwargs)


class _Append(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        items = list(getattr(namespace, self.dest, None) or [])
        setattr(namespace, self.dest, items + [values])


class _AppendConst(Action):
    takes = 0

    def __call__(self, parser, namespace, values, option_string=None):
        items = list(getattr(namespace, self.dest, None) or [])
        setattr(namespace, self.dest, items + [self.const])


class _Extend(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        items = list(getattr(namespace, self.dest, None) or [])
        setattr(namespace, self.dest, items + list(values))


class _Count(Action):
    takes = 0

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _Ignore(Action):
    takes = 0

    def __call__(self, parser, namespace, values, option_string=None):
        pass


class BooleanOptionalAction(Action):
    takes = 0

    def __init__(self, option_strings, dest, **kwargs):
        names = []
        for name in option_strings:
            names.append(name)
            if name.startswith("--"):
                names.append("--no-" + name[2:])
        super().__init__(names, dest, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, not option_string.startswith("--no-"))


class _SubParsers(Action):
    def __init__(self, option_strings, dest, parser_class=None, prog=None, **kwargs):
        super().__init__(option_strings, dest, nargs=PARSER, required=kwargs.get("required", False))
        self._class = parser_class
        self.choices = {}

    def add_parser(self, name, *, aliases=(), help=None, **kwargs):
        parser = self._class(**kwargs)
        for key in (name, *aliases):
            self.choices[key] = parser
        return parser

    def __call__(self, parser, namespace, values, option_string=None):
        name, rest = values[0], values[1:]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        if name not in self.choices:
            parser.error(f"invalid choice: {name!r}")
        _, extras = self.choices[name].parse_known_args(rest, namespace, _fresh=True)
        namespace._extras_ = getattr(namespace, "_extras_", []) + extras


_ACTIONS = {None: _Store, "store": _Store, "store_const": _StoreConst, "store_true": _StoreTrue,
            "store_false": _StoreFalse, "append": _Append, "append_const": _AppendConst,
            "extend": _Extend, "count": _Count, "help": _Ignore, "version": _Ignore,
            "parsers": _SubParsers}


class _Container:
    def register(self, registry, value, made):
        if registry == "action":
            self._root._own_actions[value] = made
        else:
            self._root._own_types[value] = made

    def add_argument(self, *names, **kwargs):
        root = self._root
        prefix = root.prefix_chars
        if names and isinstance(names[0], Action):
            return self._add(names[0])
        action = kwargs.pop("action", None)
        if not isinstance(action, type):
            action = root._own_actions.get(action) or _ACTIONS[action]
        dest = kwargs.pop("dest", None)
        if names and names[0][0] in prefix:
            options = list(names)
            if dest is None:
                longs = [n for n in names if len(n) > 1 and n[1] in prefix]
                dest = (longs or names)[0].lstrip(prefix).replace("-", "_")
        else:
            options = []
            dest = names[0] if names else dest
            kwargs.setdefault("required", kwargs.get("nargs") not in ("?", "*", REMAINDER))
        if "default" not in kwargs:
            if dest in root._defaults:
                kwargs["default"] = root._defaults[dest]
            elif root.argument_default is not None:
                kwargs["default"] = root.argument_default
        elif dest in root._defaults and kwargs["default"] is None:
            kwargs["default"] = root._defaults[dest]
        if action is _Ignore and dest in ("help", "version"):
            kwargs["default"] = SUPPRESS
        return self._add(action(options, dest, **kwargs))

    def _add(self, made):
        root = self._root
        for option in made.option_strings:
            root._options[option] = made
        root._actions.append(made)
        if made.option_strings == []:
            root._positionals.append(made)
        return made

    def add_argument_group(self, title=None, description=None, **kwargs):
        group = _Group(self._root, title)
        self._root._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, required=False):
        return _Group(self._root, None)

    def set_defaults(self, **kwargs):
        root = self._root
        root._defaults.update(kwargs)
        for action in root._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._root._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._root._defaults.get(dest)


class _Group(_Container):
    def __init__(self, root, title):
        self._root = root
        self.title = title
        self._group_actions = []

    def _add(self, made):
        self._group_actions.append(made)
        return super()._add(made)


class ArgumentParser(_Container):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(),
                 formatter_class=None, prefix_chars="-", fromfile_prefix_chars=None,
                 argument_default=None, conflict_handler="error", add_help=True,
                 allow_abbrev=True, exit_on_error=True):
        self._root = self
        self.prog = prog
        self.description = description
        self.epilog = epilog
        self.prefix_chars = prefix_chars
        self.fromfile_prefix_chars = fromfile_prefix_chars
        self.argument_default = argument_default
        self.allow_abbrev = allow_abbrev
        self._actions, self._options, self._positionals = [], {}, []
        self._defaults, self._action_groups = {}, []
        self._own_actions, self._own_types = {}, {}
        self._subparsers = None
        if add_help:
            self.add_argument("-h", "--help", action="help")
        for parent in parents:
            self._defaults.update(parent._defaults)
            for action in parent._actions:
                if action.dest != "help":
                    self._add(action)

    def add_subparsers(self, *, dest=SUPPRESS, parser_class=None, action="parsers", title=None,
                       description=None, prog=None, required=False, help=None, metavar=None):
        made = _SubParsers([], dest, parser_class=parser_class or type(self), required=required)
        self._subparsers = made
        return self._add(made)

    def error(self, message):
        import _tilewise
        _tilewise.note("the arguments do not fit: " + str(message))
        raise SystemExit(f"error: {message}")

    def exit(self, status=0, message=None):
        raise SystemExit(status)

    def print_help(self, file=None):
        pass

    def print_usage(self, file=None):
        pass

    def format_help(self):
        return self.description or ""

    def format_usage(self):
        return ""

    def _convert(self, action, text):
        kind = self._own_types.get(action.type, action.type)
        if kind is not None:
            try:
                text = kind(text)
            except (ValueError, TypeError, ArgumentTypeError) as error:
                self.error(f"argument {self._label(action)}: invalid value: {text!r} ({error})")
        if action.choices is not None and text not in action.choices:
            self.error(f"argument {self._label(action)}: invalid choice: {text!r}")
        return text

    def _label(self, action):
        if action.option_strings:
            return "/".join(action.option_strings)
        return action.metavar or action.dest

    def _is_option(self, text):
        if not text or text[0] not in self.prefix_chars or len(text) == 1:
            return False
        if text in self._options:
            return True
        if text[0] == "-" and not self._has_digit_options():
            try:
                float(text)
                return False
            except ValueError:
                pass
        return " " not in text or "=" in text

    def _has_digit_options(self):
        return any(len(o) > 1 and o[1].isdigit() for o in self._options)

    def _lookup(self, text):
        """The action, its name and the value glued to it, or None."""
        options = self._options
        if text in options:
            return options[text], text, None
        head, equals, tail = text.partition("=")
        if equals and head in options:
            return options[head], head, tail
        if text[1] not in self.prefix_chars:
            if text[:2] in options:
                action = options[text[:2]]
                return action, text[:2], text[2:]
            if not self.allow_abbrev:
                return None
        if self.allow_abbrev:
            found = [o for o in options if o.startswith(head)]
            if len({id(options[o]) for o in found}) == 1:
                return options[found[0]], found[0], tail if equals else None
        return None

    def _count_range(self, action):
        n = action.nargs
        if action.takes == 0:
            return 0, 0
        if n is None:
            return 1, 1
        if n == "?":
            return 0, 1
        if n in ("*", REMAINDER):
            return 0, 10 ** 9
        if n in ("+", PARSER):
            return 1, 10 ** 9
        return n, n

    def _value(self, action, texts):
        n = action.nargs
        if n == PARSER:
            return texts
        if n is None:
            return self._convert(action, texts[0])
        if n == "?":
            if texts:
                return self._convert(action, texts[0])
            value = action.const if action.option_strings else action.default
            return self._convert(action, value) if isinstance(value, str) else value
        if n == "*" and not texts and not action.option_strings:
            return [] if action.default is None else action.default
        return [self._convert(action, t) for t in texts]

    def _expand(self, args):
        out = []
        for text in args:
            if self.fromfile_prefix_chars and text and text[0] in self.fromfile_prefix_chars:
                import _python
                out += (_python.read_file(text[1:]) or "").splitlines()
            else:
                out.append(text)
        return out

    def _match_positionals(self, waiting, count):
        """How many of `count` texts each waiting positional takes, in order."""
        taken = []
        for i, action in enumerate(waiting):
            low, high = self._count_range(action)
            after = sum([self._count_range(a)[0] for a in waiting[i + 1:]])
            n = min(high, count - after) if count - after >= low else -1
            if n < low:
                break
            taken.append(n)
            count -= n
        return taken

    def _takes_rest(self, waiting, count):
        for action in waiting:
            if action.nargs in (PARSER, REMAINDER):
                return count >= (1 if action.nargs == PARSER else 0)
            count -= self._count_range(action)[0]
        return False

    def parse_known_args(self, args=None, namespace=None, _fresh=False):
        self._of_program = args is None
        if args is None:
            import sys
            args = sys.argv[1:]
        args = self._expand(list(args))
        if namespace is None:
            namespace = Namespace()
        for action in self._actions:
            if action.default is not SUPPRESS and action.dest is not SUPPRESS:
                # A rank without a default is what the launcher gives.
                given = action.default is not None or action.dest not in _OF_LAUNCHERS or \
                    action.type is None
                if _fresh or given and action.dest not in namespace.__dict__:
                    setattr(namespace, action.dest, action.default)
        for name, value in self._defaults.items():
            if _fresh or name not in namespace.__dict__:
                setattr(namespace, name, value)
        seen, extras, waiting = set(), [], list(self._positionals)
        i = 0
        while i <= len(args):
            # Positional values up to the next option.
            j = i
            while j < len(args) and not (self._is_option(args[j]) or args[j] == "--"):
                j += 1
            texts = args[i:j]
            if j < len(args) and args[j] == "--":
                texts = args[i:j] + args[j + 1:]
                j = len(args)
            if waiting and (texts or j == len(args)):
                if texts and self._takes_rest(waiting, len(texts)):
                    texts, j = args[i:], len(args)
                taken = self._match_positionals(waiting, len(texts))
                used = 0
                for n in taken:
                    action = waiting[0]
                    if n == 0 and j < len(args):
                        break
                    waiting.pop(0)
                    part = texts[used:used + n]
                    used += n
                    if n or action.nargs in ("?", "*", REMAINDER):
                        seen.add(id(action))
                        action(self, namespace, self._value(action, part))
                        if action.nargs == PARSER:
                            extras += namespace.__dict__.pop("_extras_", [])
                texts = texts[used:]
            extras += texts
            i = j
            if i >= len(args):
                break
            found = self._lookup(args[i])
            i += 1
            if found is None:
                extras.append(args[i - 1])
                continue
            action, name, glued = found
            low, high = self._count_range(action)
            seen.add(id(action))
            if glued is not None and high == 0:
                action(self, namespace, [], name)
                args[i:i] = ["-" + glued]
                continue
            if glued is not None:
                texts = [glued]
            else:
                texts = []
                rest = action.nargs == REMAINDER
                while i < len(args) and len(texts) < high and (rest or not (
                        self._is_option(args[i]) or args[i] == "--")):
                    texts.append(args[i])
                    i += 1
            if len(texts) < low:
                self.error(f"argument {self._label(action)}: expected {low} argument(s)")
            action(self, namespace, self._value(action, texts) if high else [], name)
        self._finish(namespace, seen)
        _hints.arguments.append(namespace)
        return namespace, extras

    def _finish(self, namespace, seen):
        for action in self._actions:
            if id(action) in seen or action.dest is SUPPRESS:
                continue
            if action.nargs == PARSER and isinstance(action.choices, dict):
                if self._of_program:
                    _assumed.take_command(self, action, namespace)
            elif action.required:
                kind = self._own_types.get(action.type, action.type)
                setattr(namespace, action.dest, _assumed.required(action, kind))
            elif action.default is False and isinstance(action, _StoreTrue) and \
                    action.dest in ("do_train", "train", "use_tpu"):
                import _tilewise
                why = ": the report is about a TPU" if action.dest == "use_tpu" else ""
                _tilewise.note(self._label(action) + " is not given; it is taken as true" + why)
                setattr(namespace, action.dest, True)
            elif action.default is None and action.dest in _assumed.CONFIGS:
                _assumed.take_config(action, namespace)
            elif isinstance(action.default, str) and action.default is not SUPPRESS:
                kind = self._own_types.get(action.type, action.type)
                if kind is not None and getattr(namespace, action.dest, None) == action.default:
                    setattr(namespace, action.dest, kind(action.default))

    def parse_args(self, args=None, namespace=None):
        namespace, extras = self.parse_known_args(args, namespace)
        if extras:
            import _tilewise
            if not _tilewise.goes_on():
                self.error("unrecognized arguments: " + " ".join(extras))
            # Pages give options that a program had once.
            _tilewise.note("arguments that the program does not take are left out: " +
                           " ".join(extras))
        return namespace

    def parse_intermixed_args(self, args=None, namespace=None):
        return self.parse_args(args, namespace)

    def parse_known_intermixed_args(self, args=None, namespace=None):
        return self.parse_known_args(args, namespace)
