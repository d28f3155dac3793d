"""What else programs ask of a layer: its types, its nodes, its configuration."""

import _tilewise as _t
from keras import _policy
from keras._info import plain_shape, stand_ins


class Facade:
    _nodes = None

    @property
    def dtype_policy(self):
        if self._policy is None:
            self._policy = _policy.get()
        return self._policy

    @dtype_policy.setter
    def dtype_policy(self, value):
        self._policy = _policy.policy_of(value)
        self._autocast = self._policy.autocast

    @property
    def dtype(self):
        return self.dtype_policy.variable_dtype

    @property
    def variable_dtype(self):
        return self.dtype_policy.variable_dtype

    @property
    def compute_dtype(self):
        return self.dtype_policy.compute_dtype

    @property
    def _dtype(self):
        return self.dtype

    @property
    def _compute_dtype(self):
        return self.compute_dtype

    @property
    def quantization_mode(self):
        return None

    # -- nodes

    def _remember_node(self, node):
        if self._nodes is None:
            self._nodes = []
        self._nodes.append(node)

    @property
    def _inbound_nodes(self):
        return self._nodes or []

    inbound_nodes = _inbound_nodes

    @property
    def outbound_nodes(self):
        return []

    def _of_node(self, what):
        if not self._nodes:
            raise AttributeError("The layer " + str(self.name) + " has never been called")
        node = self._nodes[0]
        if what == "output":
            return node.result
        found = node.args[0] if node.args else node.inputs
        return found

    @property
    def input(self):
        return self._of_node("input")

    @property
    def output(self):
        return self._of_node("output")

    @property
    def input_shape(self):
        return plain_shape(self._of_node("input"))

    @property
    def output_shape(self):
        return plain_shape(self._of_node("output"))

    # A model that nothing calls has its own inputs and outputs at its one node.
    def get_input_at(self, index):
        return self._nodes[index].args[0] if self._nodes else self.input

    def get_output_at(self, index):
        return self._nodes[index].result if self._nodes else self.output

    def get_output_shape_at(self, index):
        return plain_shape(self.get_output_at(index))

    def get_input_shape_at(self, index):
        return plain_shape(self.get_input_at(index))

    def compute_output_shape(self, input_shape, *args, **kwargs):
        return plain_shape(self.compute_output_spec(stand_ins(input_shape)))

    def compute_output_spec(self, *args, **kwargs):
        return self(*args, **kwargs)

    def compute_output_signature(self, input_signature):
        return self.compute_output_spec(input_signature)

    def symbolic_call(self, *args, **kwargs):
        return self(*args, **kwargs)

    # -- configuration

    def get_config(self):
        """What the constructor was given, with its defaults."""
        from keras._config import config_of
        return config_of(self)

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def get_build_config(self):
        return {}

    def build_from_config(self, config):
        pass

    def _set_dtype_policy(self, policy):
        self.dtype_policy = policy

    @property
    def name_scope(self):
        import contextlib
        return contextlib.nullcontext()

    @property
    def _name(self):
        return self.name

    @_name.setter
    def _name(self, value):
        self.name = value

    @property
    def path(self):
        return self.name

    def quantize(self, *args, **kwargs):
        _t.note("a layer is quantized; its cost is that of the layer as it was")

    def load_own_variables(self, store):
        pass

    def save_own_variables(self, store):
        pass

    def stateless_call(self, trainable, others, *args, **kwargs):
        return self(*args, **kwargs), others

    def _get_trainable_state(self):
        return {}

    def __repr__(self):
        return "<" + type(self).__name__ + " name=" + str(self.name) + ">"

    def __deepcopy__(self, memo):
        from keras._config import clone_layer
        key = id(self)
        if key not in memo:
            memo[key] = clone_layer(self)
        return memo[key]

    def __hash__(self):
        return id(self)
