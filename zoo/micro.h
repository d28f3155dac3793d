// Parameters that micro-workloads share.

#pragma once

#include "zoo/spec.h"

namespace tilewise {

inline constexpr std::string_view kAnyType = "f32|bf16|f16|f8e4m3|f8e5m2|s4|s8|u8|s16|u16|s32|u32";
inline constexpr ZooParameter kOperandType = {"dtype", "bf16", "type of operands and result",
                                              kAnyType};
inline constexpr ZooParameter kOperandFloatType = {"dtype", "bf16", "type of operands and result",
                                                   kFloatTypes};
inline constexpr ZooParameter kPrecision = {
    "precision", "default", "bf16 passes of f32 operands: 1, 3 or 6 (jax.lax.Precision)",
    "default|high|highest"};

// ConvAttrs::precision_passes of a product.
int64_t PrecisionPasses(const ZooSpec& spec);

// How many elements of `dtype` the parameter `bytes` holds. Error unless it is
// a whole number of them.
absl::StatusOr<int64_t> ElementsOf(const ZooSpec& spec);

}  // namespace tilewise
