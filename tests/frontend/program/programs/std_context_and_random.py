import os
import random
import sys
import time
import warnings
import logging
import tempfile
import shutil
import threading
from logging import getLogger
from typing import Optional

random.seed(3)
print(random.choice([5]), random.randint(4, 4), random.uniform(1.0, 1.0), len(random.sample(range(10), 4)), random.randrange(1))
items = [1, 2, 3]
random.shuffle(items)
print(sorted(items), len(random.choices([7], k=3)))
log = getLogger("a.b")
log.setLevel(logging.CRITICAL)
log.addHandler(logging.NullHandler())
log.debug("x %s", 1)
print(log.name, logging.INFO, log.isEnabledFor(logging.DEBUG), getLogger("a.b") is log, logging.getLevelName(20))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("nothing", UserWarning)
start = time.time()
time.sleep(0)
elapsed = time.time() - start
print("done", elapsed is not None)
flag = threading.Event()
flag.set()
print(flag.is_set(), threading.current_thread().name)


def seed_everything(seed: Optional[int] = 42):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    return seed


print(seed_everything(), os.environ["PYTHONHASHSEED"], os.cpu_count() > 0)


class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *args):
        self.end = time.perf_counter()


with Timer() as t:
    pass
print(hasattr(t, "end"), sys.getrecursionlimit() > 10, isinstance(sys.path, list), len(sys.argv) >= 1)
try:
    raise ValueError("x")
except ValueError:
    kind, value, trace = sys.exc_info() if False else (ValueError, "x", None)
    print(kind.__name__, value)
