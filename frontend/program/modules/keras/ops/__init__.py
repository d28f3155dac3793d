"""keras.ops: each is loaded when it is first asked for."""

from tensorflow._public import public

_WHERE = {
    "_elementwise": (
        "logical_not divide divide_no_nan power float_power arctan2 hypot exp2 logaddexp clip "
        "isclose isposinf isneginf isreal signbit nan_to_num where nonzero select heaviside sinc "
        "trunc fmod cast gcd ldexp true_divide log10 log2 logaddexp2 deg2rad rad2deg fix "
        "saturate_cast lcm abs absolute ceil floor negative sign round conj conjugate real imag "
        "angle square bitwise_not bitwise_invert invert arccos arccosh arcsin arcsinh arctan "
        "arctanh cos cosh exp expm1 log log1p sin sinh sqrt tan tanh reciprocal rsqrt erf erfinv "
        "sigmoid isfinite isinf isnan add subtract multiply maximum minimum mod floor_divide "
        "bitwise_and bitwise_or bitwise_xor left_shift right_shift bitwise_left_shift "
        "bitwise_right_shift equal not_equal greater greater_equal less less_equal logical_and "
        "logical_or logical_xor"),
    "_reduce": (
        "all any count_nonzero average ptp sort argsort partition argpartition top_k in_top_k "
        "quantile median percentile matmul dot vdot inner outer tensordot einsum cross kron "
        "trace norm corrcoef correlate trapezoid bincount digitize searchsorted histogram isin "
        "diff sum prod max min amax amin mean var std logsumexp nansum nanmean nanmax nanmin "
        "nanprod nanstd nanvar argmax argmin nanargmax nanargmin cumsum cumprod nancumsum "
        "nancumprod nanmedian nanquantile nanpercentile"),
    "_arrange": (
        "array copy zeros ones full full_like zeros_like ones_like arange linspace logspace eye "
        "identity tri tril triu kaiser shape ndim size reshape ravel view transpose moveaxis "
        "swapaxes expand_dims squeeze broadcast_to concatenate append stack hstack vstack split "
        "array_split unstack flip fliplr flipud rot90 roll tile repeat pad take take_along_axis "
        "get_item diagonal diag diagflat meshgrid vander unravel_index vectorize empty "
        "empty_like geomspace bartlett blackman hamming hanning"),
    "_nn": (
        "gelu max_pool average_pool adaptive_max_pool adaptive_average_pool conv depthwise_conv "
        "separable_conv conv_transpose one_hot multi_hot moments batch_normalization "
        "layer_normalization rms_normalization normalize dot_product_attention "
        "binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy ctc_loss "
        "ctc_decode psnr polar unfold swish hard_swish relu relu6 silu softplus softsign selu "
        "log_sigmoid hard_sigmoid hard_silu hard_tanh elu celu leaky_relu softmax log_softmax "
        "glu hard_shrink soft_shrink tanh_shrink threshold squareplus sparse_plus sparse_sigmoid "
        "sparsemax mish"),
    "_core": (
        "convert_to_tensor convert_to_numpy is_tensor dtype stop_gradient custom_gradient cond "
        "switch while_loop fori_loop map vectorized_map scan associative_scan scatter "
        "scatter_update slice slice_update rearrange"),
    "_image": (
        "resize rgb_to_grayscale rgb_to_hsv hsv_to_rgb affine_transform perspective_transform "
        "elastic_transform scale_and_translate map_coordinates gaussian_blur extract_patches "
        "pad_images crop_images"),
    "_linalg": (
        "cholesky cholesky_inverse inv pinv det slogdet logdet solve solve_triangular lstsq eigh "
        "qr svd lu_factor matrix_rank expm jvp eig"),
    "_math": (
        "segment_sum segment_max fft fft2 ifft2 rfft irfft extract_sequences stft istft "
        "view_as_complex view_as_real"),
}
_OF = {}
for _module in _WHERE:
    for _name in _WHERE[_module].split():
        _OF[_name] = _module
# What needs no node: it has no tensor, or takes functions that make nodes themselves.
_PLAIN = {"shape", "ndim", "is_tensor", "dtype", "vectorize", "custom_gradient", "arange", "size"}
_MODULES = ("numpy", "nn", "core", "image", "linalg", "math")
_RANDOM = ("categorical", "shuffle")


def __getattr__(name):
    import importlib
    if name in _OF:
        found = getattr(importlib.import_module("keras.ops." + _OF[name]), name)
        if name not in _PLAIN:
            found = public(found)
    elif name in _MODULES:
        found = importlib.import_module("keras.ops." + name)
    elif name == "random":
        import keras.random as found
    else:
        raise AttributeError(name)
    globals()[name] = found
    return found


__all__ = list(_OF)
