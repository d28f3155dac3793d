"""The functional API: calls that make KerasTensors, and running them again on other tensors."""

import _python
import _tilewise
from tensorflow import _tensor as _x
from tensorflow._public import holds_keras_tensor, state

KerasTensor, Tensor = _x.KerasTensor, _x.Tensor
_at = _python.at
_unk = _tilewise.is_unknown
_count = [0]


def map_tensors(function, value):
    """The nested structure, with what `function` gives for each tensor in it."""
    if _unk(value):
        return value
    if isinstance(value, Tensor):
        return function(value)
    if isinstance(value, (list, tuple)):
        items = [map_tensors(function, v) for v in value]
        if isinstance(value, list):
            return items
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return tuple(items)
    if isinstance(value, dict):
        made = {k: map_tensors(function, v) for k, v in value.items()}
        return made if type(value) is dict else type(value)(made)
    if isinstance(value, slice):
        return slice(map_tensors(function, value.start), map_tensors(function, value.stop),
                     map_tensors(function, value.step))
    return value


def flat(value, found=None):
    """The tensors of a nested structure, in order."""
    if found is None:
        found = []
    if _unk(value):
        return found
    if isinstance(value, Tensor):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            flat(v, found)
    elif isinstance(value, dict):
        for v in value.values():
            flat(v, found)
    elif isinstance(value, slice):
        flat((value.start, value.stop, value.step), found)
    return found


def plain(x):
    """The stand-in of a KerasTensor as a tensor of its own."""
    if not isinstance(x, KerasTensor):
        return x
    held = x.__dict__.get("_plain")
    if held is None or held._h is not x._h:
        held = x._plain = _x.wrap(x._h)
        if x._keras_mask is not None:
            held._keras_mask = x._keras_mask
    return held


class Node:
    """One call; `inputs` are the KerasTensors among its arguments."""

    def __init__(self, function, args, kwargs, place):
        self.function, self.args, self.kwargs, self.place = function, args, kwargs, place
        self.inputs = [t for t in flat((args, kwargs)) if isinstance(t, KerasTensor)]
        self.single = len(args) == 1 and isinstance(args[0], KerasTensor) and \
            len(self.inputs) == 1
        self.outputs = []
        _count[0] += 1
        self.serial = _count[0]

    @property
    def operation(self):
        return self.function

    outbound_layer = layer = operation

    @property
    def input_tensors(self):
        return self.inputs

    @property
    def output_tensors(self):
        return self.outputs

    @property
    def parent_nodes(self):
        return [t._node for t in self.inputs if t._node is not None]

    @property
    def inbound_layers(self):
        found = [t._node.function for t in self.inputs if t._node is not None]
        return found[0] if len(found) == 1 else found

    def run(self, values):
        """The call on other tensors: `values` has one for each id of a KerasTensor."""
        if self.single:
            out = _at(self.place, self.function, values[id(self.args[0])], **self.kwargs)
        else:
            def other(x):
                return values[id(x)] if isinstance(x, KerasTensor) else x
            args = map_tensors(other, self.args)
            out = _at(self.place, self.function, *args, **map_tensors(other, self.kwargs))
        if isinstance(out, Tensor):
            values[id(self.outputs[0])] = out
            return
        for kept, made in zip(self.outputs, flat(out)):
            values[id(kept)] = made


def call(function, args, kwargs):
    """The call on stand-ins; what it returns has KerasTensors in place of tensors."""
    node = Node(function, args, kwargs, _python.place())
    before, state.inside = state.inside, 0
    out = function(*map_tensors(plain, args), **map_tensors(plain, kwargs))
    state.inside = before

    def kept(x):
        made = KerasTensor(x._h, node, len(node.outputs))
        if x._keras_mask is not None:
            made._keras_mask = x._keras_mask
        node.outputs.append(made)
        return made
    result = map_tensors(kept, out)
    node.result = result
    remember = getattr(function, "_remember_node", None)
    if remember is not None:
        remember(node)
    return result


def between(inputs, outputs):
    """The calls that lead from some tensors to others, in order."""
    known = {id(t) for t in inputs}
    stack, found = list(outputs), {}
    while stack:
        t = stack.pop()
        if id(t) in known or not isinstance(t, KerasTensor):
            continue
        known.add(id(t))
        node = t._node
        if node is None:
            raise ValueError("`inputs` not connected to `outputs`: " + str(t.name))
        if node.serial not in found:
            found[node.serial] = node
            stack.extend(node.inputs)
    return [found[serial] for serial in sorted(found)]


def replay(outputs, values):
    """`outputs` (nested) of other tensors; `values`: id of a KerasTensor to what it is now."""
    wanted = flat(outputs)
    stack = [t for t in wanted if id(t) not in values]
    found, seen = {}, set()
    while stack:
        t = stack.pop()
        if id(t) in values or id(t) in seen or not isinstance(t, KerasTensor):
            continue
        seen.add(id(t))
        if t._node is not None and t._node.serial not in found:
            found[t._node.serial] = t._node
            stack.extend(t._node.inputs)
    for serial in sorted(found):
        found[serial].run(values)
    return map_tensors(lambda t: values.get(id(t), t), outputs)


now = [None]  # what the KerasTensors of a model are while its loss is computed


def as_now(value):
    """What the program computed of KerasTensors before, computed again of what they are now."""
    if now[0] is None or not isinstance(value, KerasTensor):
        return value
    return replay(value, now[0])


def is_keras_tensor(x):
    return isinstance(x, KerasTensor)


any_symbolic_tensors = holds_keras_tensor
