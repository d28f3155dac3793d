"""Where the names of TensorFlow's namespaces are held."""

_MATH = """abs acos acosh add add_n angle argmax argmin asin asinh atan atan2 atanh bincount ceil
confusion_matrix conj cos cosh count_nonzero cumprod cumsum cumulative_logsumexp digamma
divide_no_nan equal erf erfc erfinv exp expm1 floor floordiv floormod greater greater_equal
imag in_top_k invert is_finite is_inf is_nan l2_normalize left_shift less less_equal lgamma
log log1p log_sigmoid logical_and logical_not logical_or logical_xor maximum minimum mod
multiply multiply_no_nan ndtri negative not_equal polyval pow real reciprocal reduce_all
reduce_any reduce_euclidean_norm reduce_logsumexp reduce_max reduce_mean reduce_min
reduce_prod reduce_std reduce_sum reduce_variance right_shift rint round rsqrt segment_max
segment_mean segment_min segment_prod segment_sum sigmoid sign sin sinh softplus softsign
sqrt square squared_difference subtract tan tanh top_k truediv truncatemod
unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod
unsorted_segment_sqrt_n unsorted_segment_sum xdivy xlog1py xlogy zero_fraction accumulate_n
approximate_equal is_strictly_increasing is_non_decreasing clip_by_value cast saturate_cast
complex bitwise_and bitwise_or bitwise_xor population_count pi"""

_ARRAY = """reshape shape shape_n size rank transpose expand_dims squeeze concat stack parallel_stack
unstack split slice strided_slice tile repeat pad fill zeros ones zeros_like ones_like eye
range linspace lin_space broadcast_to broadcast_static_shape broadcast_dynamic_shape
meshgrid reverse reverse_sequence roll identity identity_n stop_gradient ensure_shape
bitcast sequence_mask"""

_GATHER = """gather batch_gather gather_nd tensor_scatter_nd_update tensor_scatter_nd_add
tensor_scatter_nd_sub tensor_scatter_nd_max tensor_scatter_nd_min scatter_nd one_hot where
boolean_mask dynamic_partition dynamic_stitch sort argsort unique unique_with_counts
searchsorted histogram_fixed_width histogram_fixed_width_bins invert_permutation
space_to_depth depth_to_space"""

_LINEAR = """matmul batch_matmul einsum tensordot norm global_norm clip_by_norm clip_by_average_norm
clip_by_global_norm diag diag_part set_diag band_part trace adjoint matrix_transpose cross
inv pinv cholesky det logdet slogdet solve triangular_solve cholesky_solve lstsq eigh eig
eigvalsh eigvals expm sqrtm qr svd matvec"""

_NN = """convolution conv1d conv2d conv3d atrous_conv2d depthwise_conv2d separable_conv2d
conv_transpose conv1d_transpose conv2d_transpose conv3d_transpose atrous_conv2d_transpose
max_pool avg_pool max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d pool
max_pool_with_argmax relu relu6 elu selu softsign softplus leaky_relu gelu silu swish crelu
softmax log_softmax bias_add xw_plus_b relu_layer moments weighted_moments
batch_normalization fused_batch_norm local_response_normalization lrn dropout
experimental_general_dropout embedding_lookup embedding_lookup_sparse
safe_embedding_lookup_sparse"""

_LOSSES = """softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_v2
sparse_softmax_cross_entropy_with_logits sigmoid_cross_entropy_with_logits
weighted_cross_entropy_with_logits log_poisson_loss l2_loss ctc_loss ctc_greedy_decoder
ctc_beam_search_decoder sampled_softmax_loss nce_loss compute_average_loss
scale_regularization_loss"""

_CONTROL = """cond smart_cond switch_case case map_fn vectorized_map scan foldl foldr while_loop
py_function numpy_function py_func"""


class Table:
    """name -> module, of pairs (module, names), of which later ones come first: names are looked
    for in the texts, as a program asks for few of them."""

    def __init__(self, parts):
        self.parts = [(module, " " + names.replace("\n", " ") + " ") for module, names in parts]
        self.more = {}

    def update(self, more):
        self.more.update(more)

    def get(self, name):
        if name in self.more:
            return self.more[name]
        wanted = " " + name + " "
        for module, names in reversed(self.parts):
            if wanted in names:
                return module
        return None

    def __iter__(self):
        names = [name for _, names in self.parts for name in names.split()]
        return iter(dict.fromkeys(names + list(self.more)))


def table(*parts):
    return Table(parts)


def every():
    return (("_math", _MATH), ("_array", _ARRAY), ("_gather", _GATHER), ("_linear", _LINEAR),
            ("_nn", _NN), ("_losses", _LOSSES), ("_control", _CONTROL))
