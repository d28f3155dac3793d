"""A dataclass made into a command line, as many trainers do."""
import argparse
import dataclasses
import enum
import json
import typing
from dataclasses import dataclass, field
from typing import List, Optional, Tuple, Union


class Optim(str, enum.Enum):
    ADAM = "adam"
    SGD = "sgd"


@dataclass
class OptimConfig:
    name: Optim = Optim.ADAM
    lr: float = 3e-4
    betas: Tuple[float, float] = (0.9, 0.95)


@dataclass
class TrainConfig:
    run: str = field(default="base", metadata={"help": "Name."})
    steps: int = 100
    compile: bool = True
    resume: Optional[str] = None
    widths: List[int] = field(default_factory=lambda: [64, 128])
    optim: OptimConfig = field(default_factory=OptimConfig)

    def __post_init__(self):
        if isinstance(self.optim, dict):
            self.optim = OptimConfig(**self.optim)

    @property
    def warmup(self):
        return self.steps // 10

    @classmethod
    def from_dict(cls, values):
        names = {f.name for f in dataclasses.fields(cls)}
        return cls(**{k: v for k, v in values.items() if k in names})


def unwrap(kind):
    if typing.get_origin(kind) is Union:
        inner = [a for a in typing.get_args(kind) if a is not type(None)]
        return inner[0]
    return kind


def add_arguments(parser, cls, prefix=""):
    hints = typing.get_type_hints(cls)
    for f in dataclasses.fields(cls):
        kind = unwrap(hints[f.name])
        name = prefix + f.name
        if dataclasses.is_dataclass(kind):
            add_arguments(parser, kind, name + ".")
        elif kind is bool:
            parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, default=None)
        elif typing.get_origin(kind) in (list, tuple):
            parser.add_argument(f"--{name}", nargs="*", type=typing.get_args(kind)[0], default=None)
        else:
            parser.add_argument(f"--{name}", type=kind, default=None, help=f.metadata.get("help"))


def apply(config, path, value):
    *parents, last = path.split(".")
    for p in parents:
        config = getattr(config, p)
    old = getattr(config, last)
    setattr(config, last, tuple(value) if isinstance(old, tuple) else value)


def parse(argv):
    parser = argparse.ArgumentParser()
    add_arguments(parser, TrainConfig)
    config = TrainConfig()
    for path, value in vars(parser.parse_args(argv)).items():
        if value is not None:
            apply(config, path, value)
    return config


print(parse([]))
c = parse(["--run", "big", "--steps=5000", "--no-compile", "--widths", "1", "2", "3", "--optim.lr", "0.1", "--optim.name", "sgd", "--optim.betas", "0.8", "0.99", "--resume", "x.pt"])
print(c, c.warmup, c.optim.name is Optim.SGD)
text = json.dumps(dataclasses.asdict(c), default=str)
print(text)
again = TrainConfig.from_dict({**json.loads(text), "unknown": 1})
print(again.optim.lr, again.optim.betas, again == c, dataclasses.replace(again, steps=7).warmup)
print({f.name: f.type for f in dataclasses.fields(OptimConfig)}["lr"] is float, [f.default for f in dataclasses.fields(OptimConfig)][1])
