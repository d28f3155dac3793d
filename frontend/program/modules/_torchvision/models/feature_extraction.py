"""The results of parts of a model by name."""

from collections import OrderedDict
from copy import deepcopy
import _tilewise
from torch import nn


def _without_later(model, names):
    """What stands after the last part that is asked for is left out, as its result is not needed:
    children run in the order in which they are defined."""
    children = [n for n, _ in model.named_children()]
    tops = [n.split(".")[0] for n in names]
    last = max([children.index(t) for t in tops])
    for name in children[last + 1:]:
        setattr(model, name, nn.Identity())
    inner = [n.split(".", 1)[1] for n in names if n.startswith(children[last] + ".")]
    if inner and children[last] not in names:
        _without_later(getattr(model, children[last]), inner)


class _Extractor(nn.Module):
    def __init__(self, model, nodes):
        super().__init__()
        self.model, self._nodes, self._made = model, nodes, {}
        for name in nodes:
            model.get_submodule(name).register_forward_hook(self._keeper(name))

    def _keeper(self, name):
        def keep(module, inputs, output):
            self._made[name] = output
        return keep

    def forward(self, *inputs):
        self._made.clear()
        self.model(*inputs)
        return OrderedDict([(new, self._made[name]) for name, new in self._nodes.items()])


def create_feature_extractor(model, return_nodes=None, train_return_nodes=None,
                             eval_return_nodes=None, **kwargs):
    nodes = return_nodes if return_nodes is not None else train_return_nodes
    nodes = dict(nodes) if isinstance(nodes, dict) else {n: n for n in nodes}
    known = {name for name, _ in model.named_modules()}
    for name in nodes:
        if name not in known:
            return _tilewise.unknown("the node " + str(name) + " of a model, which is no module "
                                     "of it")
    model = deepcopy(model)
    _without_later(model, list(nodes))
    return _Extractor(model, nodes)


def get_graph_node_names(model, *args, **kwargs):
    names = [name for name, _ in model.named_modules() if name]
    return names, names
