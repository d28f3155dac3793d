"""torch.backends: switches that a TPU machine does not have."""


class _Backend:
    enabled = deterministic = benchmark = allow_tf32 = False
    allow_fp16_reduced_precision_reduction = allow_bf16_reduced_precision_reduction = False
    fp32_precision = "none"
    is_built = is_available = flash_sdp_enabled = lambda *args: False
    mem_efficient_sdp_enabled = math_sdp_enabled = lambda *args: False

    def version(self):
        return None

    def enable_flash_sdp(self, enabled):
        pass

    enable_mem_efficient_sdp = enable_math_sdp = enable_cudnn_sdp = enable_flash_sdp

    def flags(self, *args, **kwargs):
        return self

    sdp_kernel = flags

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


cuda, cudnn, mps, mkl, mkldnn, openmp, quantized, opt_einsum, xnnpack = (
    _Backend() for _ in range(9))
cuda.matmul = _Backend()
cuda.sdp_kernel = lambda *args, **kwargs: cuda
