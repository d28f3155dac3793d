"""The config.json of a model: of a folder on this machine, or of a well-known name."""

import re

import _python
import _tilewise
import transformers
from _tilewise_arguments import page_text, pages


def read(path):
    """The values of a config.json, or None."""
    for name in ([path] if path.endswith(".json") else []) + [path.rstrip("/") + "/config.json"]:
        text = _python.read_file(name)
        if text is not None:
            import json
            values = json.loads(text)
            if isinstance(values, dict):
                return values
    return None


def table(name):
    """What is known of a name such as "org/model", or None."""
    from transformers import _hub_names
    return _hub_names.find(name)


def _plain(name):
    return name.strip("./")


def _of_pages(name):
    """The values that a page beside the program saves as the configuration of that name."""
    saves = re.compile(r"(\w+)\.save_pretrained\(f?[\"']([^\"']+)[\"']\)")
    for page in pages():
        text = page_text(page)
        if "save_pretrained" not in text:
            continue
        for save in saves.finditer(text):
            if _plain(save.group(2)) != _plain(name):
                continue
            made = re.compile(r"\b" + save.group(1) + r"\s*=\s*(\w+Config(?:\.from_pretrained)?)"
                              r"\((.*)\)").findall(text[:save.start()])
            if made:
                _tilewise.note("the configuration of '" + name + "' is the one that " + page +
                               " saves under that name")
                return _evaluated(*made[-1])
    return None


def _evaluated(call, arguments):
    """The values of a configuration as a page makes it: what else it names is not known."""
    first = arguments.split(",")[0]
    for given in (arguments, first):
        try:
            made = _python.literal_eval("transformers." + call + "(" + given + ")")
        except Exception:
            continue
        if not _tilewise.is_unknown(made):
            if given != arguments:
                _tilewise.note("of the configuration's arguments (" + arguments + ") the first is "
                               "taken alone: the others are not known")
            return made.to_dict()
    return None


def config_dict(name, subfolder=None):
    if _tilewise.is_unknown(name):
        return name
    if name is None:
        return _tilewise.unknown("a model whose name is not known")
    name = str(name)
    values = read(name + "/" + subfolder if subfolder else name)
    if values is None and subfolder:
        from transformers import _hub_others
        values = _hub_others.part(name, subfolder)
    if values is None:
        values = table(name)
    if values is None:
        values = _of_pages(name)
    if values is None:
        return _tilewise.unknown("the configuration of '" + name + "' is not known: give its "
                                 "config.json, in a folder of that name beside the program")
    values = dict(values)
    values["_name_or_path"] = values["name_or_path"] = name
    return values
