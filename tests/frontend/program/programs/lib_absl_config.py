from absl import app, flags, logging
import ml_collections
from ml_collections import config_dict

FLAGS = flags.FLAGS
flags.DEFINE_string("workdir", None, "Where.", required=True)
_LR = flags.DEFINE_float("lr", 0.1, "Rate.")
flags.DEFINE_integer("steps", 10, "Steps.")
flags.DEFINE_bool("debug", False, "Debug.")
flags.DEFINE_enum("mode", "train", ["train", "eval"], "Mode.")
flags.DEFINE_list("sizes", "a,b", "List.")


def get_config():
    config = ml_collections.ConfigDict()
    config.lr = 0.5
    config.model = ml_collections.ConfigDict()
    config.model.dim = 64
    config.model.update({"heads": 4, "mlp": {"ratio": 4}})
    config.total = config_dict.FieldReference(100)
    config.warmup = config.get_ref("total") // 10
    config.optional = config_dict.placeholder(int)
    return config


def main(argv):
    logging.info("hello %s", argv)
    print(len(argv), FLAGS.steps, _LR.value, FLAGS.debug, FLAGS.mode, FLAGS.sizes, "lr" in FLAGS)
    c = get_config()
    print(c.model.dim, c.model.mlp.ratio, c.warmup, c.optional, "lr" in c, c.get("zzz", 5), c.to_dict())
    c.total = 500
    print(c.warmup, c["model"]["heads"], sorted(c.keys()), dict(**c.model))
    c.lock()
    try:
        c.new = 1
    except (KeyError, AttributeError):
        print("locked")
    with c.unlocked():
        c.new = 2
    print(c.new, c.copy_and_resolve_references().warmup)


if __name__ == "__main__":
    try:
        app.run(main, argv=["prog", "--steps=20", "--debug", "--lr", "0.25", "--sizes=x,y,z", "rest"])
    except SystemExit as e:
        print("exit", e.code)
