"""tilewise's account of TensorFlow 2; names are looked up when they are first asked for."""

__version__ = "2.16.1"
__git_version__ = "v2.16.1"
__compiler_version__ = "17"
newaxis = None
_MODULES = """math nn linalg image random io strings signal sparse ragged lookup config summary
train saved_model distribute tpu types autodiff experimental errors version test nest debugging
data compat estimator audio bitwise sysconfig xla
feature_column layers losses metrics initializers logging flags app gfile contrib python dtypes
profiler optimizers""".split()
_OLD_FIRST = "layers losses metrics initializers logging flags app gfile contrib".split()


def _table():
    from tensorflow import _names
    made = _names.table(
        *[p for p in _names.every() if p[0] not in ("_nn", "_losses")],
        ("_control", "function group no_op Assert name_scope variable_creator_scope"),
        ("_tensor", "Tensor Variable KerasTensor"),
        ("_tape", "GradientTape custom_gradient recompute_grad hessians no_gradient"),
        ("_types", """TensorArray TensorSpec RaggedTensor RaggedTensorSpec SparseTensor
            SparseTensorSpec IndexedSlices IndexedSlicesSpec VariableAggregation
            VariableSynchronization Graph Module
            Operation UnconnectedGradients CriticalSection OptionalSpec TypeSpec
            convert_to_tensor constant is_tensor print device init_scope control_dependencies
            get_static_value get_logger executing_eagerly inside_function make_ndarray
            make_tensor_proto constant_initializer zeros_initializer ones_initializer
            random_normal_initializer random_uniform_initializer is_symbolic_tensor
            grad_pass_through load_library load_op_library register_tensor_conversion_function
            timestamp convert_to_tensor_or_sparse_tensor type_spec_from_value"""),
        ("_dtypes", """uint4 int4 uint8 int8 uint16 int16 uint32 int32 uint64 int64 bfloat16 float16
            float32 float64 half double complex64 complex128 string resource variant"""))
    made.update({
        "tuple": "_control:tuple_", "gradients": "_tape:tf_gradients", "TensorShape": "_shape",
        "Dimension": "_shape", "DType": "_dtypes", "as_dtype": "_dtypes", "divide": "_math:truediv",
        "RegisterGradient": "_tape:register_gradient", "NoGradient": "_tape:no_gradient",
        "NotDifferentiable": "_tape:no_gradient", "as_string": "strings:as_string",
        "as_string_": "strings:as_string", "bool": "_dtypes:bool_", "AggregationMethod":
        "_types:UnconnectedGradients", "guarantee_const": "_array:identity",
        "batch_to_space": "_spaces:batch_to_space", "space_to_batch": "_spaces:space_to_batch",
        "space_to_batch_nd": "_spaces:space_to_batch", "batch_to_space_nd":
        "_spaces:batch_to_space", "extract_volume_patches": "_spaces:extract_volume_patches",
        "print": "_types:print_", "fingerprint": "strings:fingerprint",
        "reverse_v2": "_array:reverse"})
    return made


_names_held = []


def __getattr__(name):
    import importlib
    if name == "keras":
        found = importlib.import_module("keras")
    elif name in _MODULES and name not in _OLD_FIRST:
        found = importlib.import_module("tensorflow." + name)
    else:
        if not _names_held:
            from tensorflow._public import export
            _names_held.append(export(globals(), _table(), "compat.v1"))
        return _names_held[0](name)
    globals()[name] = found
    return found
