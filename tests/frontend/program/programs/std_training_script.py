"""A training script as people write it, on pretend tensors."""
import argparse
import contextlib
import copy
import logging
import math
import os
import random
import sys
import time
import warnings
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Dict, List, Optional

warnings.filterwarnings("ignore")
logger = logging.getLogger(__name__)
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
logger.setLevel(logging.ERROR)


@dataclass
class Config:
    dim: int = 8
    depth: int = 2
    betas: tuple = (0.9, 0.99)
    extras: Dict[str, Any] = field(default_factory=dict)


class AverageMeter:
    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        fmtstr = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return fmtstr.format(**self.__dict__)


class CosineSchedule:
    def __init__(self, base, total, warmup=2):
        self.base, self.total, self.warmup, self.t = base, total, warmup, 0

    def step(self):
        self.t += 1
        if self.t <= self.warmup:
            return self.base * self.t / self.warmup
        x = (self.t - self.warmup) / max(1, self.total - self.warmup)
        return self.base * 0.5 * (1.0 + math.cos(math.pi * x))


def get_parser():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", default=2, type=int)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--dim", type=int, default=None)
    p.add_argument("--amp", action="store_true")
    return p


def main(args):
    random.seed(0)
    config = Config(**{k: v for k, v in vars(args).items() if v is not None and k in Config.__dataclass_fields__})
    logger.info("config %s", config)
    distributed = int(os.environ.get("WORLD_SIZE_NOT_SET", 1)) > 1
    device = "cuda" if args.amp else "cpu"
    weights = OrderedDict((f"layer{i}.weight", [0.5 * (i + 1)] * config.dim) for i in range(config.depth))
    ema = copy.deepcopy(weights)
    sched = CosineSchedule(args.lr, args.epochs * 3)
    meters = defaultdict(partial(AverageMeter, "m", ":.3f"))
    ctx = contextlib.nullcontext() if device == "cpu" else None
    history = []
    start = time.time()
    for epoch in range(args.epochs):
        for step, batch in enumerate([[1, 2], [3], [4, 5, 6]]):
            with ctx:
                loss = sum(batch) / len(batch) * sum(w[0] for w in weights.values())
            if not math.isfinite(loss):
                print("stopping")
                sys.exit(1)
            lr = sched.step()
            for name, w in weights.items():
                w[:] = [round(v - lr * 0.01 * loss, 6) for v in w]
            meters["loss"].update(loss, n=len(batch))
            history.append(lr)
        print(f"epoch {epoch} {meters['loss']} lr {history[-1]:.4f}")
    best = min(range(len(history)), key=history.__getitem__)
    assert ema["layer0.weight"][0] == 0.5
    print(config, distributed, device, best, [round(h, 4) for h in history])
    return {k: v[0] for k, v in weights.items()}


if __name__ == "__main__":
    result = main(get_parser().parse_args([]))
    print(result)
    print({k: round(v, 3) for k, v in main(get_parser().parse_args(["--epochs", "1", "--dim", "2"])).items()})
