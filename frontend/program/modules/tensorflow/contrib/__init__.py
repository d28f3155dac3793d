"""tf.contrib: what TPU programs use of it; other parts are not known."""

_PARTS = ("layers", "slim", "tpu", "framework", "training", "data", "opt", "summary", "rnn",
          "cluster_resolver", "eager", "distribute", "metrics", "losses", "image", "estimator",
          "lookup", "quantize", "learn", "nn", "compiler", "stateless", "keras", "saved_model",
          "tpu_estimator", "seq2seq", "legacy_seq2seq")


def __getattr__(name):
    import importlib
    if name in _PARTS:
        return importlib.import_module("tensorflow.contrib." + name)
    raise AttributeError(name)
