// Custom calls by their target. Annotations cost nothing; library calls of
// other backends are the matmul that they stand for; kernels of the user's own
// (tpu_custom_call) and all that is not known are opaque.

#include <algorithm>
#include <array>

#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/native_graph.h"
#include "frontend/hlo/ops.h"

namespace tilewise::hlo {
namespace {

struct Target {
  std::string_view name;
  Translator translator;
};

constexpr auto kTargets = std::to_array<Target>({
    {"AllocateBuffer", TranslateBuffer},
    {"ApproxTopK", TranslateTopK},
    {"CreateBuffer", TranslateBuffer},
    {"Eigh", TranslateEigh},
    {"LayoutConstraint", TranslateFirstOperand},
    {"LuDecomposition", TranslateLu},
    {"MoveToDevice", TranslateFirstOperand},
    {"MoveToHost", TranslateFirstOperand},
    {"PartialReduce", TranslateTopK},
    {"PadToStatic", TranslateFirstOperand},
    {"Pin", TranslateFirstOperand},
    {"ProductOfElementaryHouseholderReflectors", TranslateHouseholderProduct},
    {"Qr", TranslateQr},
    {"Sharding", TranslateFirstOperand},
    {"SliceToDynamic", TranslateFirstOperand},
    {"TopK", TranslateTopK},
    {"Unpin", TranslateFirstOperand},
    {"__cublas$gemm", TranslateLibraryDot},
    {"__cublas$lt$matmul", TranslateLibraryDot},
    {"__cublas$lt$matmul$f8", TranslateLibraryDot},
    {"__cudnn$convBackwardFilter", TranslateLibraryConvolution},
    {"__cudnn$convBackwardInput", TranslateLibraryConvolution},
    {"__cudnn$convBiasActivationForward", TranslateLibraryConvolution},
    {"__cudnn$convForward", TranslateLibraryConvolution},
    {"__onednn$convolution", TranslateLibraryConvolution},
    {"__onednn$matmul", TranslateMatMul},
    {"annotate_device_placement", TranslateFirstOperand},
    {"byteir.gelu", TranslateGelu},
    {"byteir.layer_norm", TranslateLayerNorm},
    {"byteir.log_softmax", TranslateLogSoftmax},
    {"byteir.nll_loss_forward", TranslateLikelihood},
    {"byteir.softmax", TranslateSoftmax},
    {"chlo.einsum", TranslateEinsum},
    {"chlo.torch_index_select", TranslateIndexSelect},
    {"cusolver_geqrf_ffi", TranslateQr},
    {"cusolver_getrf_ffi", TranslateLu},
    {"cusolver_orgqr_ffi", TranslateHouseholderProduct},
    {"cusolver_potrf_ffi", TranslateCholesky},
    {"cusolver_syevd_ffi", TranslateEigh},
    {"lapack_dgeqrf_ffi", TranslateQr},
    {"lapack_dgetrf_ffi", TranslateLu},
    {"lapack_dorgqr_ffi", TranslateHouseholderProduct},
    {"lapack_dpotrf_ffi", TranslateCholesky},
    {"lapack_dsyevd_ffi", TranslateEigh},
    {"lapack_dtrsm_ffi", TranslateTriangularSolve},
    {"lapack_sgeqrf_ffi", TranslateQr},
    {"lapack_sgetrf_ffi", TranslateLu},
    {"lapack_sorgqr_ffi", TranslateHouseholderProduct},
    {"lapack_spotrf_ffi", TranslateCholesky},
    {"lapack_ssyevd_ffi", TranslateEigh},
    {"lapack_strsm_ffi", TranslateTriangularSolve},
    {"mhlo.dynamic_broadcast_in_dim", TranslateDynamicBroadcast},
    {"mhlo.dynamic_reshape", TranslateReshape},
    {"mhlo.real_dynamic_slice", TranslateRealDynamicSlice},
    {"mhlo.uniform_dequantize", TranslateConvert},
    {"mhlo.uniform_quantize", TranslateConvert},
    {"mhlo.topk", TranslateTopK},
    {"stablehlo.dynamic_broadcast_in_dim", TranslateDynamicBroadcast},
    {"stablehlo.dynamic_reshape", TranslateReshape},
    {"te_fused_attn_backward_ffi", TranslateFusedAttentionGrad},
    {"te_fused_attn_forward_ffi", TranslateFusedAttention},
    {"topk", TranslateTopK},
    {"xla.sdy.FuncResultSharding", TranslateFirstOperand},
    {"xla.sdy.Sharding", TranslateFirstOperand},
    {"xla.sdy.ShardingGroup", TranslateFirstOperand},
});

Translator Find(std::string_view name) {
  const auto* const at = std::find_if(kTargets.begin(), kTargets.end(),
                                      [&](const Target& target) { return target.name == name; });
  return at == kTargets.end() ? nullptr : at->translator;
}

// The op that a custom call of the target "tilewise.<kind>" stands for.
Value AddNative(Translation& t, const Site& site) {
  absl::StatusOr<Op> op = NativeOp(site.instruction);
  if (!op.ok()) {
    t.emit().Fail(Message(op.status()));
    return {};
  }
  return t.emit().Add(op->kind, site.arrays(), std::move(op->attrs), std::move(op->shape));
}

std::string WhyUnknown(std::string_view target) {
  if (target == "tpu_custom_call" || target == "mosaic") {
    return "it is a kernel of the user's own; its operands and results move "
           "to and from memory once";
  }
  return "its operands and results move to and from memory once";
}

}  // namespace

bool KnowsCustomCall(std::string_view target) {
  return IsFunction(target) || Find(target) != nullptr;
}

Value TranslateCustomCall(Translation& t, const Site& site) {
  if (IsNative(site.instruction)) return AddNative(t, site);
  const std::string_view target = site.more().custom_call_target;
  if (const Translator translator = Find(target)) return translator(t, site);
  if (IsFunction(target)) return TranslateFunction(t, site);
  return t.Unknown(site, target, WhyUnknown(target));
}

}  // namespace tilewise::hlo
