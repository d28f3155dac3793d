"""Marks of fields, which change no value."""


class _Mark:
    def __getitem__(self, item):
        return item

    def __call__(self, *args, **kwargs):
        return args[0] if args else self


(FlagConversionOff, Suppress, SuppressFixed, Positional, Fixed, AvoidSubcommands,
 OmitArgPrefixes, OmitSubcommandPrefixes, PositionalRequiredArgs, UseAppendAction) = [
     _Mark() for _ in range(10)]


def arg(*args, **kwargs):
    return None


subcommand = configure = arg
