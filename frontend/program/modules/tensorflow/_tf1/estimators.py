"""Estimators: training calls the input function and the model function once, for one replica."""

import _python
import _tilewise as _t
from tensorflow._public import state
from tensorflow._tensor import Tensor, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.graph import Quiet
from tensorflow._tf1.scopes import create_global_step
from tensorflow._tf1.session import record_model, record_step

TRAINED = [False]


class ModeKeys:
    TRAIN, EVAL, PREDICT = "train", "eval", "infer"
    INFER = "infer"


class EstimatorSpec:
    def __init__(self, mode=None, predictions=None, loss=None, train_op=None,
                 eval_metric_ops=None, export_outputs=None, training_chief_hooks=None,
                 training_hooks=None, scaffold=None, evaluation_hooks=None,
                 prediction_hooks=None, eval_metrics=None, host_call=None, scaffold_fn=None,
                 **kw):
        self.mode, self.loss, self.train_op = mode, loss, train_op
        self.predictions, self.export_outputs = predictions, export_outputs
        self.eval_metric_ops, self.eval_metrics = eval_metric_ops, eval_metrics
        self.host_call, self.scaffold_fn, self.scaffold = host_call, scaffold_fn, scaffold
        self.training_hooks = training_hooks or ()

    def _replace(self, **kw):
        made = EstimatorSpec(**dict(self.__dict__, **kw))
        return made

    def as_estimator_spec(self):
        return self


class TPUEstimatorSpec(EstimatorSpec):
    pass


class RunConfig:
    """Settings of a run: what is not given is None, or what Estimator takes then."""
    iterations_per_loop = None
    _FIXED = {"model_dir": None, "num_worker_replicas": 1, "num_ps_replicas": 0,
              "is_chief": True, "task_id": 0, "task_type": "worker", "master": "",
              "cluster_spec": None, "evaluation_master": "", "global_id_in_cluster": 0,
              "service": None, "keep_checkpoint_max": 5, "save_checkpoints_steps": None,
              "save_checkpoints_secs": 600, "save_summary_steps": 100,
              "log_step_count_steps": 100, "tf_random_seed": 1, "session_config": None,
              "train_distribute": None, "eval_distribute": None, "tpu_config": None,
              "cluster": None}

    def __init__(self, model_dir=None, *args, **kw):
        self.__dict__.update(self._FIXED)
        self.model_dir = model_dir
        self.__dict__.update(kw)

    def replace(self, **kw):
        made = type(self)()
        made.__dict__.update(self.__dict__)
        made.__dict__.update(kw)
        return made

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return None


class TPURunConfig(RunConfig):
    def __init__(self, tpu_config=None, evaluation_master=None, master=None, cluster=None, **kw):
        super().__init__(**kw)
        self.tpu_config = tpu_config or TPUConfig()
        self.cluster = cluster
        self.master = master or ""


TPURunConfig.__name__ = "RunConfig"


class InputPipelineConfig:
    PER_SHARD_V1, PER_HOST_V1, PER_HOST_V2, BROADCAST, SLICED = 1, 2, 3, 4, 5


class TPUConfig:
    def __init__(self, iterations_per_loop=2, num_shards=None, num_cores_per_replica=None,
                 per_host_input_for_training=True, tpu_job_name=None,
                 initial_infeed_sleep_secs=None, input_partition_dims=None, **kw):
        self.iterations_per_loop = iterations_per_loop
        _t.record("iterations", count=iterations_per_loop)
        self.num_shards = num_shards
        self.num_cores_per_replica = num_cores_per_replica
        self.per_host_input_for_training = per_host_input_for_training
        self.input_partition_dims = input_partition_dims
        self.tpu_job_name = tpu_job_name
        self.__dict__.update(kw)

    def _replace(self, **kw):
        made = TPUConfig()
        made.__dict__.update(self.__dict__)
        made.__dict__.update(kw)
        return made


class TPUContext:
    """What an input function asks of where it runs."""

    def __init__(self, replicas):
        self.num_replicas = self.num_cores = self.number_of_shards = replicas
        self.num_of_replicas_per_host = max(1, replicas // max(1, _t.hosts()))
        self.num_of_cores_per_host = self.num_of_replicas_per_host
        self.current_host = 0

    @property
    def num_hosts(self):
        _t.record("asks_hosts")
        return _t.hosts()

    def current_input_fn_deployment(self):
        return None, 0, self.num_hosts, self.num_of_replicas_per_host

    def device_for_replica(self, replica_id):
        return ""

    device_assignment = model_parallelism_enabled = None
    master_job = "worker"


class TrainSpec:
    def __init__(self, input_fn=None, max_steps=None, hooks=None, saving_listeners=None):
        self.input_fn, self.max_steps, self.hooks = input_fn, max_steps, hooks


class EvalSpec:
    def __init__(self, input_fn=None, steps=100, name=None, hooks=None, exporters=None,
                 start_delay_secs=120, throttle_secs=600):
        self.input_fn, self.steps, self.name, self.hooks = input_fn, steps, name, hooks


def train_and_evaluate(estimator, train_spec, eval_spec=None, executor_cls=None):
    if not _t.is_unknown(estimator):
        estimator.train(train_spec.input_fn, hooks=train_spec.hooks,
                        max_steps=train_spec.max_steps)
        if eval_spec is not None and not _t.is_unknown(eval_spec):
            estimator.evaluate(eval_spec.input_fn)
    return _t.unknown("results of an evaluation"), None


def _parameters(function):
    """Rows of those that a caller may give: a partial object has given some."""
    count, given = 0, []
    while hasattr(function, "func") and hasattr(function, "keywords"):
        count += len(function.args)
        given += list(function.keywords)
        function = function.func
    return [row for row in _python.signature(function)[count:] if row[0] not in given]


def called_with(function, **given):
    """Calls with those of the arguments that the function names, or takes by `**`."""
    names, any_name = [], False
    for name, kind, _, _ in _parameters(function):
        if kind == "var_keyword":
            any_name = True
        else:
            names.append(name)
    kept = {k: v for k, v in given.items() if any_name or k in names}
    return function(**kept)


def _takes(function):
    return [name for name, kind, _, _ in _parameters(function)]


def first_element(data):
    """One element of what an input function gave: features and labels."""
    if _t.is_unknown(data):
        return data
    if hasattr(data, "element_spec") or hasattr(data, "make_one_shot_iterator"):
        for element in data:
            return element
        return _t.unknown("an element of an empty data set")
    if callable(data):
        return first_element(data())
    return data


def note_unknown(element):
    """Says what of the data is not known."""
    if _t.is_unknown(element):
        _t.note("the data that trains is not known: " + _t.reason(element))
    elif isinstance(element, dict):
        note_unknown(list(element.values()))
    elif isinstance(element, (list, tuple)):
        for part in element:
            note_unknown(part)


def _parts(element):
    if _t.is_unknown(element):
        return element, element
    if isinstance(element, (tuple, list)) and len(element) == 2:
        return element[0], element[1]
    if isinstance(element, tuple) and len(element) == 1:
        return element[0], None
    return element, None


def examples_of(value):
    """How many examples a batch has, by its parts that are batches."""
    if _t.is_unknown(value):
        return None
    if isinstance(value, Tensor):
        dim = getattr(value, "_batch", None)
        if dim is None:
            return None
        return _t.shape(value._h)[dim]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for v in value:
            size = examples_of(v)
            if size is not None:
                return size
    return None


def as_batch(value, size):
    """Parts of an element again, as inputs whose dim of `size` counts the examples.

    Programs for TPUs hand over images with the batch last, also all in one dim.
    """
    if _t.is_unknown(value):
        return value
    if isinstance(value, dict):
        return {k: as_batch(v, size) for k, v in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)([as_batch(v, size) for v in value])
    if not isinstance(value, Tensor) or getattr(value, "_strings", None) is not None:
        return value
    h = value._h
    dims = list(_t.shape(h))
    if not dims or dims[0] == size:
        at = 0
    elif dims[-1] == size:
        at = len(dims) - 1
    elif len(dims) == 1 and dims[0] % size == 0:
        flat = _t.input([dims[0] // size, size], _t.dtype(h), "features", 1)
        return wrap(_t.op("tw.reshape", [flat], {"shape": dims}))
    else:
        return value
    if dims:
        state.batch = size
    return wrap(_t.input(dims, _t.dtype(h), "features", at)) if dims else value


class _Context:
    """A graph of its own, with the number of the step."""

    def __enter__(self):
        self.scope = _t.scope("")
        self.graph = _g.Graph()
        self.entered = self.graph.as_default()
        self.entered.__enter__()
        create_global_step()
        state.numbers_examples = True
        return self.graph

    def __exit__(self, kind, value, trace):
        self.entered.__exit__(kind, value, trace)
        _t.scope(self.scope)
        state.numbers_examples = False
        return False


class Estimator:
    def __init__(self, model_fn=None, model_dir=None, config=None, params=None,
                 warm_start_from=None, **kw):
        self._model_fn = model_fn
        self._config = config if config is not None else RunConfig(model_dir)
        self._params = params
        self._model_dir = model_dir or getattr(self._config, "model_dir", None)
        self._batch = None
        self._train_batch_size = None

    model_dir = property(lambda self: self._model_dir)
    config = property(lambda self: self._config)
    model_fn = property(lambda self: self._call_model_fn)

    @property
    def params(self):
        return self._params

    def _replicas(self):
        """Of a strategy: each replica takes batches of its own."""
        return 1 if getattr(self._config, "train_distribute", None) is None else _t.replicas()

    def _given_params(self, mode=ModeKeys.TRAIN):
        return {} if self._params is None else self._params

    def _input(self, input_fn, mode, params):
        given = {"params": params, "mode": mode, "config": self._config}
        names = _takes(input_fn)
        if "input_context" in names:
            given["input_context"] = None
        _t.record("input", mode=mode, replicas=self._batches_per_step(),
                  batch=self._train_batch_size, one_host=int(self._one_host_reads()))
        try:
            return called_with(input_fn, **given)
        finally:
            _t.record("input_end")

    def _one_host_reads(self):
        return False

    def _batches_per_step(self):
        return self._replicas()

    def _call_model_fn(self, features, labels, mode, config=None):
        params = self._given_params(mode)
        function = self._model_fn
        names = _takes(function)
        given = {"mode": mode, "params": params, "config": self._config}
        if "labels" in names:
            given["labels"] = labels
        kept = {}
        for name in given:
            if name in names:
                kept[name] = given[name]
        if "features" in names:
            return function(features=features, **kept)
        return function(features, **kept)

    def _record_batch(self, element):
        size = self._train_batch_size
        if size is None:
            size = examples_of(element) or self._batch
            if size is not None:
                size *= self._replicas()
        if size is not None and not _t.is_unknown(size):
            _t.record("batch", size=int(size), what=type(self).__name__)

    def _marked(self, element):
        """The element with batches whose size its labels say."""
        size = None
        if isinstance(element, (list, tuple)) and examples_of(element) is None:
            last = element[-1]
            if isinstance(last, Tensor) and len(_t.shape(last._h)) == 1:
                size = _t.shape(last._h)[0]
        if size is None or size < 2:
            return element
        self._batch = size
        return as_batch(element, size)

    def _loop(self):
        """Steps that the device runs before the host hears of it."""
        return None

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        with _Context() as graph:
            params = self._given_params()
            element = first_element(self._input(input_fn, ModeKeys.TRAIN, params))
            note_unknown(element)
            element = self._marked(element)
            features, labels = _parts(element)
            self._record_batch(element)
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN)
            if _t.is_unknown(spec):
                _t.note("what the model function gives is not known: " + _t.reason(spec))
            trained = graph.trains
            record_model(graph, getattr(self._model_fn, "__name__", "model_fn"))
            loop = self._loop()
            callbacks = [type(h).__name__ for h in hooks or () if not _t.is_unknown(h)]
            facts = {"by": "estimator", "callbacks": callbacks}
            for name, value in (("steps", max_steps if steps is None else steps),
                                ("steps_per_execution", loop)):
                if isinstance(value, (int, float)):
                    facts[name] = int(value)
            _t.record("fit", **facts)
            if trained or not _t.is_unknown(spec):
                record_step(graph)
                TRAINED[0] = True
        return self

    def _see_input(self, input_fn, mode):
        """The data sets that an evaluation reads."""
        if input_fn is None or _t.is_unknown(input_fn):
            return
        try:
            with _Context():
                self._input(input_fn, mode, self._given_params(mode))
        except Exception as error:
            _t.note("the input of an evaluation is not known: " + type(error).__name__ + ": " +
                    str(error))

    def evaluate(self, input_fn=None, steps=None, hooks=None, checkpoint_path=None, name=None,
                 **kw):
        self._see_input(input_fn, ModeKeys.EVAL)
        return _t.unknown("results of an evaluation")

    def predict(self, input_fn=None, predict_keys=None, hooks=None, checkpoint_path=None,
                yield_single_examples=True):
        self._see_input(input_fn, ModeKeys.PREDICT)
        return _t.unknown("predictions of an estimator")

    def export_saved_model(self, *args, **kw):
        _t.record("exported")
        return "saved_model"

    export_savedmodel = experimental_export_all_saved_models = export_saved_model

    def get_variable_names(self):
        return _t.unknown("names of the variables of a checkpoint")

    def get_variable_value(self, name):
        return _t.unknown("a variable of a checkpoint")

    def latest_checkpoint(self):
        return None

    def eval_dir(self, name=None):
        return "eval"


class TPUEstimator(Estimator):
    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, use_tpu=True,
                 train_batch_size=None, eval_batch_size=None, predict_batch_size=None,
                 batch_axis=None, eval_on_tpu=True, export_to_tpu=True, export_to_cpu=True,
                 warm_start_from=None, **kw):
        super().__init__(model_fn, model_dir, config, params)
        self._train_batch_size = None if _t.is_unknown(train_batch_size) else train_batch_size
        self._sizes = {ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
                       ModeKeys.PREDICT: predict_batch_size}
        if use_tpu is not False:
            _t.record("estimator", batch_size=train_batch_size)
        if _t.is_unknown(train_batch_size):
            _t.note("train_batch_size is not known: " + _t.reason(train_batch_size))

    def _replicas(self):
        n = _t.replicas()
        config = getattr(self._config, "tpu_config", None)
        per = getattr(config, "num_cores_per_replica", None)
        return max(1, n // per) if isinstance(per, int) else n

    def _one_host_reads(self):
        per_host = getattr(getattr(self._config, "tpu_config", None),
                           "per_host_input_for_training", True)
        # True, which equals 1, is one input for each host.
        return per_host is not True and per_host in (False, InputPipelineConfig.PER_SHARD_V1,
                                                     InputPipelineConfig.BROADCAST)

    def _marked(self, element):
        size = self._per_replica(ModeKeys.TRAIN)
        if not isinstance(size, int) or size < 2 or examples_of(element) is not None:
            return element
        return as_batch(element, size)

    def _per_replica(self, mode):
        size = self._sizes[mode]
        if size is None or _t.is_unknown(size):
            return size
        return max(1, int(size) // self._replicas())

    def _given_params(self, mode=ModeKeys.TRAIN):
        params = self._params
        if params is None:
            params = {}
        elif isinstance(params, dict):
            params = dict(params)
        elif not _t.is_unknown(params):
            import copy
            params = copy.copy(params)
        size = self._per_replica(mode)
        if size is not None and not _t.is_unknown(params):
            if isinstance(params, dict):
                params["batch_size"] = size
                params.setdefault("use_tpu", True)
                params.setdefault("context", TPUContext(self._replicas()))
            else:
                _set(params, "batch_size", size)
        return params

    def _loop(self):
        config = getattr(self._config, "tpu_config", None)
        return getattr(config, "iterations_per_loop", None)


def _set(params, name, value):
    if hasattr(params, "add_hparam"):
        if name in params:
            params.set_hparam(name, value)
        else:
            params.add_hparam(name, value)
    elif hasattr(params, "__setitem__"):
        params[name] = value
    else:
        setattr(params, name, value)


class CrossShardContext(Quiet):
    pass
