"""Command lines from functions."""

from _tilewise_arguments import not_defined


def _typed(text):
    import _python
    try:
        return _python.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def Fire(component=None, command=None, name=None, **kwargs):
    import sys
    if component is None:
        component = sys.modules["__main__"].__dict__
    args = list(sys.argv[1:]) if command is None else (
        command.split() if isinstance(command, str) else list(command))
    while True:
        if isinstance(component, dict):
            if not args or args[0] not in component:
                return component
            component = component[args.pop(0)]
        elif callable(component):
            component = _call(component, args)
            if not args or args[0].startswith("-"):
                return component
        elif args and not args[0].startswith("-") and hasattr(component, args[0]):
            component = getattr(component, args.pop(0).replace("-", "_"))
        else:
            return component


def _call(function, args):
    import inspect
    known = inspect.signature(function).parameters
    positional, named, left = [], {}, []
    takes_any = any(p.kind == 4 for p in known.values())
    while args:
        text = args[0]
        if text.startswith("--"):
            key, equals, value = text[2:].partition("=")
            key = key.replace("-", "_")
            if not equals and key not in known and key.startswith("no") and key[2:] in known:
                named[key[2:]] = False
                args.pop(0)
                continue
            if key not in known and not takes_any:
                # It may be for the command that follows.
                left.append(args.pop(0))
                if not equals and args and not args[0].startswith("--"):
                    left.append(args.pop(0))
                continue
            args.pop(0)
            if equals:
                named[key] = _typed(value)
            elif args and not args[0].startswith("--"):
                named[key] = _typed(args.pop(0))
            else:
                named[key] = True
        else:
            room = [p for p in known.values() if p.kind in (0, 1) and p.name not in named]
            if room and not positional:
                named[room[0].name] = _typed(args.pop(0))
            elif any(p.kind == 2 for p in known.values()):
                positional += [named.pop(n) for n in list(named) if not positional]
                positional.append(_typed(args.pop(0)))
            else:
                break
    args += left
    for option in left if args == left else ():
        if option.startswith("--"):
            not_defined(option.partition("=")[0])
    for p in known.values() if not positional else ():
        if p.default is inspect.Parameter.empty and p.kind in (0, 1, 3) and p.name not in named:
            import _tilewise
            named[p.name] = _tilewise.unknown(f"argument --{p.name}, which has no default")
    return function(*positional, **named)
