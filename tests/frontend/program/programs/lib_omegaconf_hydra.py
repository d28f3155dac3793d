import hydra
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

cfg = OmegaConf.create({"model": {"dim": 64, "layers": [1, 2, {"k": 3}], "name": "vit"}, "lr": 0.1, "twice": "${model.dim}", "path": "/data/${model.name}/x", "must": "???"})
print(cfg.model.dim, cfg["lr"], cfg.twice, cfg.path, cfg.model.layers[2].k, "lr" in cfg, "must" in cfg, cfg.get("none", 7), len(cfg.model.layers))
cfg.model.dim = 128
cfg.added = {"deep": {"er": 1}}
print(cfg.twice, cfg.added.deep.er, isinstance(cfg, DictConfig), OmegaConf.is_config(cfg.model), [k for k in cfg.model])
merged = OmegaConf.merge(cfg, {"model": {"name": "swin", "new": True}}, OmegaConf.from_dotlist(["lr=0.5", "a.b=3", "flag=true"]))
print(merged.model.name, merged.model.dim, merged.model.new, merged.lr, merged.a.b, merged.flag, merged.path, cfg.model.name)
print(OmegaConf.to_container(merged.model), OmegaConf.to_container(OmegaConf.create({"x": 1, "y": "${x}"}), resolve=True), OmegaConf.select(cfg, "model.layers.0"), dict(**cfg.model)["name"])
try:
    cfg.nothing
except AttributeError:
    print("no such key")
try:
    cfg.must
except Exception as e:
    print(type(e).__name__)
OmegaConf.register_new_resolver("mul", lambda a, b: a * b)
print(OmegaConf.create({"a": 3, "b": "${mul:${a},4}", "c": "${oc.env:NOT_SET_HERE,fallback}"}))
r = OmegaConf.create({"a": 3, "b": "${mul:${a},4}", "c": "${oc.env:NOT_SET_HERE,fallback}"})
print(r.b, r.c, OmegaConf.to_yaml(OmegaConf.create({"z": [1, {"q": None}], "s": "text", "e": {}})))
made = instantiate(OmegaConf.create({"_target_": "collections.Counter", "a": 2}))
print(made["a"], instantiate({"_target_": "functools.partial", "_args_": [int], "base": 2})("101"), instantiate({"_target_": "builtins.dict", "inner": {"_target_": "builtins.list"}, "_partial_": False}))


@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg: DictConfig):
    print(OmegaConf.to_container(cfg, resolve=True))
    print(cfg.model.width, cfg.trainer.epochs)
    return cfg.model.width


if __name__ == "__main__":
    import sys
    print(main())
    sys.argv = ["prog", "model=large", "trainer.epochs=7", "+extra=[1,2]"]
    main()
