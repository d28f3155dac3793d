"""tf.contrib.training: HParams, and loops that train."""

from tensorflow.contrib import _python as python
import _tilewise as _t
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.graph import Quiet
from tensorflow._tf1.session import record_step


class HParams:
    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        self.__dict__["_names"] = []
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        if name in self._names and self.__dict__.get(name) is not None:
            raise ValueError("Hyperparameter name already in use: " + str(name))
        if name not in self._names:
            self._names.append(name)
        self.__dict__[name] = value

    def set_hparam(self, name, value):
        self.__dict__[name] = value

    def __setattr__(self, name, value):
        if name not in self._names:
            self._names.append(name)
        self.__dict__[name] = value

    def del_hparam(self, name):
        if name in self._names:
            self._names.remove(name)
            del self.__dict__[name]

    def get(self, key, default=None):
        return self.__dict__[key] if key in self._names else default

    def values(self):
        return {name: self.__dict__[name] for name in self._names}

    def __contains__(self, key):
        return key in self._names

    def override_from_dict(self, values):
        for name, value in values.items():
            self.set_hparam(name, value)
        return self

    set_from_map = override_from_dict

    def parse(self, values):
        """Overrides of the form "name=value,other=1.5"."""
        if not isinstance(values, str) or not values:
            return self
        for part in _pieces(values):
            name, _, text = part.partition("=")
            name = name.strip()
            if name not in self._names:
                raise ValueError("Unknown hyperparameter: " + name)
            self.__dict__[name] = _like(self.__dict__[name], text.strip())
        return self

    def parse_json(self, text):
        import json
        return self.override_from_dict(json.loads(text))

    def to_json(self, *args, **kw):
        import json
        return json.dumps(self.values())

    def __iter__(self):
        return iter(self._names)

    def __copy__(self):
        return HParams(**self.values())

    def __deepcopy__(self, memo):
        import copy
        return HParams(**{k: copy.deepcopy(v, memo) for k, v in self.values().items()})


def _pieces(text):
    found, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "[(":
            depth += 1
        elif c in "])":
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[start:i])
            start = i + 1
    return found + [text[start:]]


def _like(old, text):
    if text[:1] == "[":
        inner = text[1:-1]
        like = old[0] if isinstance(old, list) and old else None
        return [_like(like, t.strip()) for t in inner.split(",") if t.strip()]
    if isinstance(old, bool):
        return text.lower() in ("true", "1")
    if isinstance(old, int):
        return int(text)
    if isinstance(old, float):
        return float(text)
    if old is None:
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
    return text.strip("'\"")


def create_train_op(total_loss, optimizer, global_step=None, update_ops=None,
                    variables_to_train=None, *args, **kw):
    from tensorflow._tensor import handle, wrap
    optimizer.minimize(total_loss, global_step, variables_to_train)
    y = wrap(handle(total_loss))
    _g.get_default_graph().trained.append(y)
    return y


def train(train_op, *args, **kw):
    graph = _g.get_default_graph()
    steps = kw.get("number_of_steps")
    if isinstance(steps, int):
        _t.record("fit", steps=steps)
    record_step(graph)
    return _t.unknown("the loss after training")


def evaluate_once(*args, **kw):
    return _t.unknown("results of an evaluation")


evaluate_repeatedly = wait_for_new_checkpoint = evaluate_once


def checkpoints_iterator(*args, **kw):
    return _t.unknown("checkpoints that are written while the program runs")


class StopAfterNEvalsHook(Quiet):
    pass


class SummaryAtEndHook(Quiet):
    pass


def batch_sequences_with_states(*args, **kw):
    return _t.unknown("batches of sequences")


stratified_sample = bucket_by_sequence_length = batch_sequences_with_states
