"""FlaxPreTrainedModel: a module of Flax of the program's own, with its parameters beside it."""

import _tilewise
import jax
import jax.numpy as jnp
from flax.traverse_util import flatten_dict
from functools import partial

ACT2FN = {"gelu": partial(jax.nn.gelu, approximate=False), "relu": jax.nn.relu,
          "silu": jax.nn.silu, "swish": jax.nn.silu, "gelu_new": jax.nn.gelu,
          "gelu_pytorch_tanh": jax.nn.gelu, "tanh": jnp.tanh,
          "quick_gelu": lambda x: x * jax.nn.sigmoid(1.702 * x)}


class FlaxPreTrainedModel:
    config_class = None
    base_model_prefix = ""
    main_input_name = "input_ids"
    module_class = None
    framework = "flax"

    def __init__(self, config, module, input_shape=(1, 1), seed=0, dtype=jnp.float32,
                 _do_init=True):
        self._config, self._module, self.dtype = config, module, dtype
        self.key, self.input_shape = jax.random.PRNGKey(seed), input_shape
        self._is_initialized = _do_init
        self._params = None
        if _do_init:
            self._params = self.init_weights(self.key, input_shape)

    def init_weights(self, rng, input_shape, params=None):
        raise NotImplementedError("init method has to be implemented for " + str(type(self)))

    def enable_gradient_checkpointing(self):
        self._module = self.module_class(config=self.config, dtype=self.dtype,
                                         gradient_checkpointing=True)

    @classmethod
    def _from_config(cls, config, **kwargs):
        return cls(config, **kwargs)

    from_config = _from_config

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, dtype=jnp.float32, *model_args,
                        config=None, _do_init=True, from_pt=False, **kwargs):
        """Of the weights in a file only the shapes matter: those of the model's own."""
        if config is None:
            config = cls.config_class.from_pretrained(pretrained_model_name_or_path)
        if _tilewise.is_unknown(config):
            return config if _do_init else (config, config)
        own = ("seed", "input_shape", "gradient_checkpointing", "dropout_rng")
        options = {name: value for name, value in kwargs.items() if name in own}
        model = cls(config, *model_args, dtype=dtype, _do_init=_do_init, **options)
        return model if _do_init else (model, model.params_shape_tree)

    config = property(lambda self: self._config)
    module = property(lambda self: self._module)

    @property
    def params(self):
        if self._params is None:
            self._params = self.init_weights(self.key, self.input_shape)
        return self._params

    @params.setter
    def params(self, params):
        self._params = params

    @property
    def params_shape_tree(self):
        if self._params is not None:
            return self._params
        return self.init_weights(self.key, self.input_shape)

    @property
    def required_params(self):
        return set(flatten_dict(self.params_shape_tree).keys())

    def _cast(self, params, dtype, mask=None):
        return jax.tree_util.tree_map(
            lambda p: p.astype(dtype) if jnp.issubdtype(p.dtype, jnp.floating) else p, params)

    def to_bf16(self, params, mask=None):
        return self._cast(params, jnp.bfloat16)

    def to_fp16(self, params, mask=None):
        return self._cast(params, jnp.float16)

    def to_fp32(self, params, mask=None):
        return self._cast(params, jnp.float32)

    def num_params(self, params=None):
        leaves = jax.tree_util.tree_leaves(self.params if params is None else params)
        return sum([int(p.size) for p in leaves])

    def save_pretrained(self, *args, **kwargs):
        return None

    push_to_hub = save_pretrained

    @classmethod
    def can_generate(cls):
        return False

    @classmethod
    def register_for_auto_class(cls, auto_class=None):
        return None


def append_call_sample_docstring(model_class, *args, **kwargs):
    return None


append_replace_return_docstrings = overwrite_call_docstring = append_call_sample_docstring
