"""The config.json of a model: of a folder on this machine, or of a well-known name."""

import _python
import _tilewise


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


def config_dict(name):
    if _tilewise.is_unknown(name):
        return name
    if name is None:
        return _tilewise.unknown("a model whose name is not known")
    name = str(name)
    values = read(name)
    if values is None:
        values = table(name)
    if values is None:
        return _tilewise.unknown("the configuration of '" + name + "' is not known: give its "
                                 "config.json, in a folder of that name beside the program")
    values = dict(values)
    values["_name_or_path"] = values["name_or_path"] = name
    return values
