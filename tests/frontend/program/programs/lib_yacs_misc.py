import io
from easydict import EasyDict as edict
from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto_tqdm
from yacs.config import CfgNode as CN
import toml
import wandb
import yaml

_C = CN()
_C.BASE = [""]
_C.MODEL = CN()
_C.MODEL.TYPE = "swin"
_C.MODEL.DEPTHS = [2, 2, 6, 2]
_C.MODEL.DROP = 0.1
_C.TRAIN = CN({"EPOCHS": 300, "LR": {"BASE": 5e-4}})
c = _C.clone()
c.merge_from_list(["MODEL.DROP", "0.5", "TRAIN.EPOCHS", 10, "MODEL.DEPTHS", "[1, 1]", "TRAIN.LR.BASE", "1"])
print(c.MODEL.DROP, c.TRAIN.EPOCHS, c.MODEL.DEPTHS, c.TRAIN.LR.BASE, _C.MODEL.DROP, c.MODEL.TYPE)
c.freeze()
try:
    c.MODEL.TYPE = "x"
except AttributeError:
    print("frozen")
c.defrost()
c.MODEL.TYPE = "vit"
print(c.MODEL, isinstance(c, dict), "TYPE" in c.MODEL)
e = edict({"a": {"b": 1}, "l": [{"c": 2}]})
e.a.d = {"x": 5}
print(e.a.b, e.l[0].c, e.a.d.x, e)
print([i for i in tqdm([1, 2])], list(trange(3)), list(auto_tqdm(range(2), desc="d", total=2)), len(tqdm([1, 2, 3])))
bar = tqdm(enumerate("ab"), total=2)
for i, ch in bar:
    bar.set_postfix(loss=i)
    bar.update(1)
print(bar.total)
print(toml.loads("""
title = "x # not a comment"
[model]
dims = [1, 2, 3]  # comment
lr = 1e-3
on = true
[model.opt]
name = 'adam'
[[stage]]
n = 1
[[stage]]
n = 2
"""))
run = wandb.init(project="p", config={"lr": 0.1, "epochs": 2})
wandb.config.update({"extra": 1})
wandb.log({"loss": 1})
print(run.config.lr, wandb.config.epochs, wandb.config["extra"], wandb.run is run, dict(run.config))
print(yaml.safe_load('{"a": 1, "b": [true, null]}'), yaml.dump({"b": 1, "a": [1, "x", None, True], "c": {"d": 0.5}}))
print(yaml.safe_load(io.StringIO('{"q": "r"}')))
