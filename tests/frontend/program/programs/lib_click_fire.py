import click
import fire
import sys


@click.command()
@click.argument("data", default="d")
@click.option("--epochs", "-e", default=3, help="E.")
@click.option("--lr", type=float, default=0.1, show_default=True)
@click.option("--amp/--no-amp", default=True)
@click.option("--debug", is_flag=True)
@click.option("--tag", multiple=True)
@click.option("--batch-size", "bs", default=8)
def train(data, epochs, lr, amp, debug, tag, bs):
    print("train", data, epochs, lr, amp, debug, tag, bs)


@click.group()
@click.option("-v", "--verbose", count=True)
@click.pass_context
def cli(ctx, verbose):
    ctx.ensure_object(dict)
    print("group", verbose)


@cli.command()
@click.option("--n", default=1)
def sub(n):
    print("sub", n)


train.main([], standalone_mode=False)
train.main(["here", "-e", "5", "--lr=0.5", "--no-amp", "--debug", "--tag", "a", "--tag", "b", "--batch-size", "16"], standalone_mode=False)
cli.main(["-vv", "sub", "--n", "4"], standalone_mode=False)


def run(path="x", steps=10, lr=0.1, compile=False, sizes=(1, 2)):
    return path, steps, lr, compile, sizes


class App:
    def __init__(self, name="n"):
        self.name = name

    def hello(self, times=1):
        return f"{self.name} " * times


print(fire.Fire(run, command=["--steps=5", "--lr", "1e-3", "--compile", "--sizes=[3,4]"]))
print(fire.Fire(run, command="path/to 7 --nocompile"))
print(fire.Fire({"run": run, "other": len}, command="run --steps 3"))
print(fire.Fire(App, command="--name bob hello --times=2"))
sys.argv = ["prog"]
print(fire.Fire(run))
