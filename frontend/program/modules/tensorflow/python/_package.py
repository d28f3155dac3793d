"""Stands for any package within tensorflow.python."""

from tensorflow import nest
from tensorflow._tf1 import gfile as file_io
from tensorflow._tf1 import gfile, logging as tf_logging
from tensorflow.python import _device_lib as device_lib
from tensorflow.python import _context as context
from tensorflow.python import _leaf, _rnn_leaf

array_ops = math_ops = nn_ops = control_flow_ops = init_ops = init_ops_v2 = state_ops = _leaf
variables = variable_scope = random_ops = resource_variable_ops = embedding_ops = nn_impl = _leaf
rnn_cell_impl = rnn_cell = _rnn_leaf
rnn = gradients = gradients_impl = clip_ops = check_ops = _leaf
data_flow_ops = image_ops = image_ops_impl = lookup_ops = metrics_impl = linalg_ops = _leaf
string_ops = logging_ops = standard_ops = custom_gradient = inplace_ops = functional_ops = _leaf
tensor_array_ops = partitioned_variables = control_flow_util = losses_impl = losses = _leaf
gen_array_ops = gen_math_ops = gen_nn_ops = gen_state_ops = gen_control_flow_ops = _leaf
gen_training_ops = gen_image_ops = bitwise_ops = sparse_ops = parsing_ops = template = _leaf
candidate_sampling_ops = confusion_matrix = ctc_ops = io_ops = map_fn = nn = metrics = _leaf
special_math_ops = spectral_ops = summary_ops_v2 = while_v2 = cond_v2 = session_ops = _leaf
tpu_ops = batch_norm_util = numerics = script_ops = sort_ops = stateless_random_ops = _leaf
ops = dtypes = constant_op = tensor_shape = function = errors = errors_impl = _leaf
random_seed = graph_util = tensor_util = sparse_tensor = test_util = tensor_spec = _leaf
func_graph = smart_cond = device = graph_io = importer = meta_graph = type_spec = _leaf
composite_tensor = indexed_slices = common_shapes = load_library = framework_lib = _leaf
optimizer = moving_averages = training_ops = session_run_hook = saver = adam = _leaf
basic_session_run_hooks = training_util = slot_creator = checkpoint_management = _leaf
learning_rate_decay = learning_rate_decay_v2 = momentum = gradient_descent = rmsprop = _leaf
training = adagrad = ftrl = coordinator = queue_runner_impl = monitored_session = _leaf
saveable_object = saver_lib = evaluation = checkpoint_utils = warm_starting_util = _leaf
session_manager = distribution_strategy_context = distribute = input = proximal_adagrad = _leaf
app = flags = test = resource_loader = build_info = googletest = sysconfig = _leaf
timeline = session = pywrap_tf_session = _leaf
tpu = tpu_estimator = tpu_config = tpu_context = tpu_function = tpu_optimizer = tpu_feed = _leaf
training_loop = device_assignment = tpu_embedding = topology = bfloat16 = _leaf
tpu_system_metadata = session_support = async_checkpoint = datasets = tpu_strategy_util = _leaf
tpu_embedding_v2 = tpu_sharding = tensor_tracer = error_handling = util = _leaf
compat = tf_export = deprecation = tf_inspect = tf_decorator = tf_contextlib = _leaf
object_identity = all_util = lazy_loader = keyword_args = serialization = _leaf
backprop = def_function = monitoring = remote = profiler = tape = execute = _leaf
base = core = convolutional = normalization = pooling = utils = layers = _leaf
tf_record = estimator = model_fn = run_config = export = exporter = inputs = _leaf
model_utils = dataset_ops = iterator_ops = readers = experimental = _leaf
multi_device_iterator_ops = _leaf
distribute_lib = tpu_strategy = reduce_util = values = cross_device_ops = mirrored_strategy = _leaf
summary = writer = saved_model = loader = builder = tag_constants = signature_constants = _leaf
tracking = data_structures = lib = impl = api = autograph = ag_ctx = _leaf


def __getattr__(name):
    return getattr(_leaf, name)
