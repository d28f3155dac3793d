"""tf.contrib: what TPU programs use of it; other parts are not known."""

_PARTS = ("layers", "slim", "tpu", "framework", "training", "data", "opt", "summary", "rnn",
          "cluster_resolver", "eager", "distribute", "metrics", "losses", "image", "estimator",
          "seq2seq", "lookup", "quantize", "cudnn_rnn", "learn", "nn", "crf", "compiler",
          "legacy_seq2seq", "mixed_precision", "tensorboard", "memory_stats",
          "optimizer_v2", "stateless",
          "predictor", "keras", "saved_model", "tpu_estimator", "checkpoint", "util", "ops")


def __getattr__(name):
    import importlib
    if name in _PARTS:
        return importlib.import_module("tensorflow.contrib." + name)
    raise AttributeError(name)
