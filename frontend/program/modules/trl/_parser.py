"""Command lines of TRL's own scripts: a file of settings may be named among the arguments."""

import sys

from transformers.hf_argparser import HfArgumentParser


def _words(values):
    words = []
    for name, value in values.items():
        if isinstance(value, bool):
            words.append("--" + name + "=" + str(value))
        elif isinstance(value, (list, tuple)):
            words.append("--" + name)
            words.extend([str(v) for v in value])
        elif value is not None and not isinstance(value, dict):
            words.append("--" + name + "=" + str(value))
    return words


class TrlParser(HfArgumentParser):
    def __init__(self, dataclass_types=None, **kwargs):
        if dataclass_types is not None and not isinstance(dataclass_types, (list, tuple)):
            dataclass_types = [dataclass_types]
        HfArgumentParser.__init__(self, dataclass_types, **kwargs)

    def parse_args_and_config(self, args=None, return_remaining_strings=False,
                              fail_with_unknown_args=True, separate_remaining_strings=False):
        words = list(sys.argv[1:] if args is None else args)
        if "--config" in words:
            at = words.index("--config")
            import yaml
            with open(words[at + 1]) as file:
                values = yaml.safe_load(file)
            words = _words(values) + words[:at] + words[at + 2:]
        return self.parse_args_into_dataclasses(words, return_remaining_strings)
