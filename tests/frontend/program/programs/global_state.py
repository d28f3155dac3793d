"""The module's own text."""
import sys

DEBUG = False
_cache = {}
CONFIG = dict(depth=2, width=[1, 2], name="net")


def set_debug(on=True):
    global DEBUG
    DEBUG = on


def lookup(key, make):
    if key not in _cache:
        _cache[key] = make()
    return _cache[key]


print(__name__, __doc__)
set_debug()
print(DEBUG, lookup("a", lambda: [1]) is lookup("a", lambda: [2]), _cache)
globals()["injected"] = 5
print(injected)
if __name__ == "__main__":
    print("main guard")
for key, value in CONFIG.items():
    globals()["config_" + key] = value
print(config_depth, config_width, config_name)
keys = [k for k, v in globals().items() if not k.startswith("_") and isinstance(v, (int, float, bool, str))]
print(sorted(keys))
print(len(sys.argv), isinstance(sys.argv, list), sys.argv[0].endswith("global_state.py"))
module = sys.modules[__name__]
print(module.CONFIG["name"], getattr(module, "DEBUG"), hasattr(module, "nope"))
setattr(module, "late", 1)
print(late)
try:
    del injected
    injected
except NameError as e:
    print(e)


def models():
    table = {"small": small, "large": large}
    return {k: f() for k, f in table.items()}


def small(width=8):
    return width


def large(**kw):
    return small(**{"width": 64, **kw})


print(models(), globals()["small"](3), vars(module)["DEBUG"])
exit_code = 0
try:
    sys.exit(exit_code)
except SystemExit as e:
    print("exit", e.code)


def annotated() -> None:
    local: int = 3
    other: str
    return local


print(annotated(), __file__.endswith("global_state.py"), "set_debug" in dir(), __builtins__ is not None)
VALUE: int = 4
print(__annotations__)
