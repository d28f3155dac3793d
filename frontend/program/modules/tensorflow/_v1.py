"""Names of TensorFlow 1, each with the module that holds it; found when they are first used."""

import importlib

_HELD = {
    "graph": "Graph GraphKeys Operation get_default_graph reset_default_graph trainable_variables "
             "global_variables all_variables model_variables moving_average_variables "
             "local_variables get_collection get_collection_ref add_to_collection "
             "add_to_collections control_dependencies no_op group",
    "scopes": "AUTO_REUSE VariableScope variable_scope variable_op_scope get_variable "
              "get_variable_scope get_local_variable name_scope op_scope no_regularizer "
              "create_global_step",
    "gradients": "gradients hessians",
    "session": "Session InteractiveSession get_default_session ConfigProto GPUOptions "
               "GraphOptions OptimizerOptions RunOptions RunMetadata "
               "global_variables_initializer local_variables_initializer tables_initializer "
               "initialize_all_variables variables_initializer initialize_variables "
               "initialize_all_tables initialize_local_variables report_uninitialized_variables "
               "assert_variables_initialized enable_eager_execution",
    "ops": "placeholder placeholder_with_default sparse_placeholder VariableV1 to_float to_double "
           "to_int32 to_int64 to_bfloat16 to_complex64 Print py_func assign assign_add "
           "assign_sub scatter_update multinomial div sparse_to_dense container colocate_with "
           "get_seed",
    "files": "read_file write_file matching_files WholeFileReader TFRecordReader TextLineReader "
             "FixedLengthRecordReader decode_raw_v1",
    "queues": "FIFOQueue PaddingFIFOQueue PriorityQueue RandomShuffleQueue",
}
_SAME = {"assert_" + n: ("ops", "assert_op") for n in (
    "equal", "less", "less_equal", "greater", "greater_equal", "non_negative", "positive",
    "negative", "rank", "rank_at_least", "rank_in", "type", "integer", "none_equal", "scalar",
    "near", "non_positive", "proper_iterable")}
_SAME.update({
    "Assert": ("ops", "assert_op"), "add_check_numerics_ops": ("ops", "assert_op"),
    "count_up_to": ("ops", "assert_op"), "tuple": ("graph", "tuple_"),
    "scatter_add": ("ops", "scatter_update"), "scatter_sub": ("ops", "scatter_update"),
    "scatter_nd_update": ("ops", "scatter_update"), "variable_axis_size_partitioner":
    ("ops", "nothing"), "min_max_variable_partitioner": ("ops", "nothing"),
    "fixed_size_partitioner": ("ops", "nothing"), "disable_v2_behavior": ("ops", "nothing"),
    "enable_v2_behavior": ("ops", "nothing"), "disable_eager_execution": ("ops", "nothing"),
    "enable_resource_variables": ("ops", "nothing"), "disable_v2_tensorshape": ("ops", "nothing"),
    "disable_resource_variables": ("ops", "nothing"), "enable_v2_tensorshape": ("ops", "nothing"),
    "disable_control_flow_v2": ("ops", "nothing"), "enable_control_flow_v2": ("ops", "nothing"),
    "disable_tensor_equality": ("ops", "nothing"), "enable_tensor_equality": ("ops", "nothing"),
    "set_random_seed": ("ops", "nothing"), "wrap_function": ("ops", "identity"),
    "Dimension": (None, "tensorflow._shape:Dimension"),
    "control_flow_v2_enabled": ("ops", "nothing"), "scalar_summary": ("ops", "nothing"),
    "histogram_summary": ("ops", "nothing"), "image_summary": ("ops", "nothing"),
    "merge_all_summaries": ("ops", "nothing"), "merge_summary": ("ops", "nothing"),
    "verify_tensor_all_finite": ("ops", "identity"), "mul": (None, "tensorflow:multiply"),
    "sub": (None, "tensorflow:subtract"), "neg": (None, "tensorflow:negative"),
    "pack": (None, "tensorflow:stack"), "unpack": (None, "tensorflow:unstack"),
    "select": (None, "tensorflow:where"), "div_no_nan": (None, "tensorflow.math:divide_no_nan"),
    "lin_space": (None, "tensorflow:linspace"), "ceil": (None, "tensorflow.math:ceil"),
    "mod": (None, "tensorflow.math:mod"), "log": (None, "tensorflow.math:log"),
})
_MODULES = ("layers", "losses", "metrics", "rnn_cell")
# Names that both have, where TensorFlow 1 takes other arguments.
_OTHER = {
    "Variable": ("ops", "Variable_v1"), "name_scope": ("scopes", "name_scope"),
    "cond": ("ops", "cond"), "map_fn": ("ops", "map_fn"), "where": ("ops", "where"),
    "gather": ("ops", "gather"), "slice": ("ops", "slice"), "expand_dims": ("ops", "expand_dims"),
    "identity": ("ops", "identity"), "device": ("ops", "device"), "Graph": ("graph", "Graph"),
    "gradients": ("gradients", "gradients"), "group": ("graph", "group"),
    "no_op": ("graph", "no_op"), "control_dependencies": ("graph", "control_dependencies"),
}
_table = {}


def _fill():
    for module, names in _HELD.items():
        for name in names.split():
            _table[name] = (module, name)
    _table.update(_SAME)
    for name in _MODULES:
        _table[name] = (name, None)


def find(name, first=False):
    """A name of TensorFlow 1; `first`: also those that TensorFlow 2 has with other arguments.

    Raises AttributeError when there is none.
    """
    if not _table:
        _fill()
    place = _OTHER.get(name) if first else None
    if place is None:
        place = _table.get(name)
    if place is None:
        return _of_old(name, first)
    module, inner = place
    if module is None:
        module, _, inner = inner.partition(":")
        return getattr(importlib.import_module(module), inner)
    # What tensors have in graphs comes with the first name.
    importlib.import_module("tensorflow._tf1.made")
    found = importlib.import_module("tensorflow._tf1." + module)
    return found if inner is None else getattr(found, inner)


_OLD = {
    "contrib": "tensorflow.contrib", "estimator": "tensorflow.estimator",
    "flags": "absl.flags", "app": "tensorflow._tf1.app", "logging": "tensorflow._tf1.logging",
    "gfile": "tensorflow._tf1.gfile", "python_io": "tensorflow._tf1.python_io",
    "compat": "tensorflow.compat", "resource_loader": "tensorflow._tf1.files",
    "manip": "tensorflow", "spectral": "tensorflow.signal", "sparse": "tensorflow.sparse",
    "graph_util": "tensorflow._tf1.files", "distributions": "tensorflow._tf1.distributions",
    "python": "tensorflow.python", "core": "tensorflow.core",
}
_FIRST = {"nn": "tensorflow._tf1.nn", "train": "tensorflow._tf1.train",
          "summary": "tensorflow._tf1.summary", "tpu": "tensorflow._tf1.tpu",
          "image": "tensorflow._tf1.image", "data": "tensorflow._tf1.data",
          "saved_model": "tensorflow._tf1.saved_model",
          "initializers": "tensorflow._tf1.initializers",
          "profiler": "tensorflow._tf1.profiler", "random": "tensorflow._tf1.random"}


_active = []


def activate():
    """The program is one of TensorFlow 1: what both have is as TensorFlow 1 has it."""
    if _active:
        return
    _active.append(True)
    tensorflow = importlib.import_module("tensorflow")
    for name in _OTHER:
        setattr(tensorflow, name, find(name, True))
    for name in _FIRST:
        setattr(tensorflow, name, importlib.import_module(_FIRST[name]))


def _of_old(name, first):
    if first and name in _FIRST:
        importlib.import_module("tensorflow._tf1.made")
        return importlib.import_module(_FIRST[name])
    if name in _OLD:
        importlib.import_module("tensorflow._tf1.made")
        return importlib.import_module(_OLD[name])
    if name in _INITIALIZERS:
        found = importlib.import_module("tensorflow._tf1.initializers")
        return getattr(found, _INITIALIZERS[name])
    if name in _SHORTCUTS:
        module, inner = _SHORTCUTS[name]
        return getattr(importlib.import_module("tensorflow." + module), inner)
    raise AttributeError("module 'tensorflow' has no attribute " + repr(name))


_INITIALIZERS = {n + "_initializer": n for n in (
    "zeros", "ones", "constant", "truncated_normal", "random_normal", "random_uniform",
    "variance_scaling", "glorot_uniform", "glorot_normal", "orthogonal", "uniform_unit_scaling")}
_INITIALIZERS["keras_initializer"] = "zeros"
# Functions that TensorFlow 2 keeps in other modules, and their names there.
_MOVED = {
    "math": "arg_max=argmax arg_min=argmin log1p log_sigmoid lgamma digamma erf erfc "
            "expm1 floordiv floormod igamma igammac "
            "invert_permutation is_finite is_inf is_nan polygamma real imag conj reciprocal rint "
            "rsqrt segment_max segment_mean segment_min segment_prod segment_sum "
            "unsorted_segment_max unsorted_segment_min unsorted_segment_sum "
            "unsorted_segment_mean xdivy xlogy zeta accumulate_n angle betainc bincount cross "
            "cumprod count_nonzero logical_xor reduce_logsumexp softplus softsign "
            "squared_difference truncatediv=truediv truncatemod=floormod confusion_matrix lbeta",
    "random": "random_uniform=uniform truncated_normal random_shuffle=shuffle random_gamma=gamma "
              "random_normal=normal random_poisson=poisson",
    "strings": "string_join=join string_split=split string_strip=strip string_length=length "
               "string_to_number=to_number string_to_hash_bucket=to_hash_bucket "
               "string_to_hash_bucket_fast=to_hash_bucket_fast regex_replace as_string substr "
               "reduce_join",
    "linalg": "matrix_band_part=band_part matrix_diag=diag matrix_diag_part=diag_part "
              "matrix_set_diag=set_diag matrix_determinant=det matrix_inverse=inv "
              "matrix_solve=solve matrix_transpose cholesky trace diag diag_part=tensor_diag_part "
              "svd qr self_adjoint_eig=eigh matrix_triangular_solve=triangular_solve cross "
              "batch_matmul=matmul",
    "io": "parse_single_example parse_example FixedLenFeature VarLenFeature "
          "FixedLenSequenceFeature SparseFeature decode_raw decode_csv parse_tensor "
          "parse_single_sequence_example=parse_single_sequence_example serialize_tensor "
          "decode_base64 encode_base64 decode_json_example",
    "signal": "fft ifft fft2d ifft2d rfft",
    "quantization": "fake_quant_with_min_max_args fake_quant_with_min_max_vars quantize "
                    "dequantize",
    "sparse": "sparse_tensor_to_dense=to_dense sparse_tensor_dense_matmul=sparse_dense_matmul "
              "sparse_reduce_sum=reduce_sum sparse_reshape=reshape sparse_concat=concat",
    "nn": "depth_to_space space_to_depth batch_to_space space_to_batch embedding_lookup "
          "space_to_batch_nd=space_to_batch batch_to_space_nd=batch_to_space",
    "image": "extract_image_patches=extract_patches random_crop",
    "debugging": "check_numerics",
}
_SHORTCUTS = {}
for _module, _names in _MOVED.items():
    for _pair in _names.split():
        _name, _, _new = _pair.partition("=")
        _SHORTCUTS[_name] = (_module, _new or _name)
