from _tilewise_nothing import module

import _python
import _tilewise

# Magics that run the rest of their cell.
_RUN = ("time", "timeit", "capture", "prun")


class _Shell:
    def run_cell_magic(self, magic_name, line, cell):
        if magic_name in _RUN:
            _python.run_cell(cell)

    def run_line_magic(self, magic_name, line, _stack_depth=1):
        return _tilewise.unknown("what a magic gives")

    magic = run_line_magic

    def system(self, command):
        pass

    getoutput = getsystem = run_line_magic

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _tilewise.unknown("IPython.get_ipython()." + name)


_shell = _Shell()


def get_ipython():
    return _shell


__getattr__ = module("IPython")
