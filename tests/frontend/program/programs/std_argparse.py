import argparse
import sys

parser = argparse.ArgumentParser(description="Train a model", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
parser.add_argument("data", nargs="?", default="imagenet", help="where")
parser.add_argument("-a", "--arch", metavar="ARCH", default="resnet18", choices=["resnet18", "resnet50"])
parser.add_argument("-j", "--workers", default=4, type=int)
parser.add_argument("-b", "--batch-size", default=256, type=int, dest="batch_size")
parser.add_argument("--lr", "--learning-rate", default=0.1, type=float)
parser.add_argument("--resume", default="", type=str)
parser.add_argument("-e", "--evaluate", dest="evaluate", action="store_true")
parser.add_argument("--no-cuda", action="store_false", dest="cuda")
parser.add_argument("--size", type=int, nargs="+", default=[224, 224])
parser.add_argument("--betas", type=float, nargs=2, default=(0.9, 0.999))
parser.add_argument("--aug", action="append")
parser.add_argument("-v", action="count", default=0)
parser.add_argument("--amp", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--mode", action="store_const", const="fast")
parser.add_argument("--seed", nargs="?", type=int, const=42)
parser.add_argument("--wd", type=float, default="1e-4")
group = parser.add_argument_group("model")
group.add_argument("--depth", type=int, default=12)
either = parser.add_mutually_exclusive_group()
either.add_argument("--x", action="store_true")
either.add_argument("--y", action="store_true")
parser.set_defaults(extra="set", depth=6)
print(sorted(vars(parser.parse_args([])).items()))
args = parser.parse_args(["cifar", "-a", "resnet50", "-j8", "--batch-size=64", "--lr", "1e-3", "-e", "--no-cuda", "--size", "32", "64", "--betas", "0.8", "0.9",
                          "--aug", "flip", "--aug", "crop", "-vv", "--no-amp", "--mode", "--seed", "--depth", "3", "--x"])
print(sorted(vars(args).items()))
print(args.arch, args.batch_size * 2, args.lr, args.size, args.v, args.amp, args.seed, "arch" in args, hasattr(args, "zz"), getattr(args, "zz", None))
print(parser.parse_args(["--learning", "3"]).lr, parser.parse_args(["--batch", "7"]).batch_size, parser.parse_args(["-b=5"]).batch_size, parser.parse_args(["-ev"]).v, parser.parse_args(["--seed", "7"]).seed)
known, rest = parser.parse_known_args(["d", "--unknown", "3", "--lr", "2", "--other=1"])
print(known.lr, rest)
sys.argv = ["prog", "--depth", "9", "mnist"]
args = parser.parse_args()
print(args.depth, args.data)
args.lr = 5
args.new = [1]
print(args.lr, vars(args)["new"], args == args)
print(argparse.Namespace(a=1, b="x"), argparse.Namespace(**{"q": 2}).q)
sub = argparse.ArgumentParser()
sub.add_argument("--verbose", action="store_true")
commands = sub.add_subparsers(dest="command")
train = commands.add_parser("train", help="t")
train.add_argument("path")
train.add_argument("--epochs", type=int, default=1)
train.set_defaults(func=lambda a: ("train", a.epochs))
test = commands.add_parser("test")
test.add_argument("--k", type=int, default=5)
test.set_defaults(func=lambda a: ("test", a.k))
one = sub.parse_args(["--verbose", "train", "here", "--epochs", "3"])
print(one.command, one.path, one.epochs, one.verbose, one.func(one))
print(sub.parse_args(["test"]).k, sub.parse_args([]).command)


def bool_arg(v):
    if v.lower() in ("yes", "true"):
        return True
    if v.lower() in ("no", "false"):
        return False
    raise argparse.ArgumentTypeError("bad")


p = argparse.ArgumentParser(add_help=False)
p.add_argument("--flag", type=bool_arg, default=False)
p.add_argument("--opts", nargs="*", default=[])
p.add_argument("--neg", type=int)
child = argparse.ArgumentParser(parents=[p])
child.add_argument("files", nargs="*")
print(child.parse_args(["--flag", "yes", "--neg", "-5", "--opts", "a", "b"]), child.parse_args(["x", "y"]).files, child.parse_args(["--opts"]).opts)
rem = argparse.ArgumentParser()
rem.add_argument("script")
rem.add_argument("rest", nargs=argparse.REMAINDER)
print(rem.parse_args(["run.py", "--a", "1"]))
print(parser.get_default("depth"), parser.parse_args(["--", "-weird"]).data)
