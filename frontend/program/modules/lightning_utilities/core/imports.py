"""Which packages and versions there are."""

import operator
import re

_OPERATORS = {"==": operator.eq, ">=": operator.ge, "<=": operator.le, ">": operator.gt,
              "<": operator.lt, "!=": operator.ne, "~=": operator.ge}


def module_available(path):
    from importlib.util import find_spec
    try:
        return find_spec(path) is not None
    except ImportError:
        return False


def package_available(name):
    return module_available(name)


def compare_version(package, op, version, use_base_version=False):
    from importlib import metadata
    from packaging.version import Version
    if not package_available(package):
        return False
    return op(Version(metadata.version(package)), Version(version))


class RequirementCache:
    def __init__(self, requirement=None, module=None):
        self.requirement, self.module = requirement, module

    def _check(self):
        if self.requirement is None:
            return module_available(self.module)
        name = re.match(r"[\w.-]+", self.requirement).group(0)
        if not package_available((self.module or name).replace("-", "_")):
            return False
        rules = re.findall(r"(==|>=|<=|~=|!=|>|<)\s*([\w.+-]+)", self.requirement)
        return all([compare_version(self.module or name, _OPERATORS[rule], at)
                    for rule, at in rules])

    def __bool__(self):
        return self._check()

    def __str__(self):
        return "Requirement {!r} is {}met".format(
            self.requirement or self.module, "" if self._check() else "not ")
