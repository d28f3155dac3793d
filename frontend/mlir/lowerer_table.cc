// Which function lowers which operation. Shardy's reshard is left to the
// partitioner, which chooses its collectives.

#include <string>

#include "frontend/hlo/library_calls.h"
#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

struct Entry {
  std::string_view dialect;
  std::string_view name;
  Lowerer lowerer;
};

constexpr Entry kEntries[] = {
    {"stablehlo", "constant", LowerConstant},
    {"stablehlo", "iota", LowerIota},
    {"stablehlo", "dynamic_iota", LowerIota},
    {"stablehlo", "compare", LowerCompare},
    {"stablehlo", "select", LowerSelect},
    {"stablehlo", "tuple", LowerTuple},
    {"stablehlo", "get_tuple_element", LowerGetTupleElement},
    {"stablehlo", "optimization_barrier", LowerBarrier},
    {"stablehlo", "set_dimension_size", LowerPlain},
    {"stablehlo", "broadcast_in_dim", LowerBroadcastInDim},
    {"stablehlo", "dynamic_broadcast_in_dim", LowerBroadcastInDim},
    {"stablehlo", "broadcast", LowerBroadcast},
    {"stablehlo", "reshape", LowerReshape},
    {"stablehlo", "dynamic_reshape", LowerReshape},
    {"stablehlo", "transpose", LowerTranspose},
    {"stablehlo", "reverse", LowerReverse},
    {"stablehlo", "concatenate", LowerConcatenate},
    {"stablehlo", "pad", LowerPad},
    {"stablehlo", "dynamic_pad", LowerPad},
    {"stablehlo", "slice", LowerSlice},
    {"stablehlo", "real_dynamic_slice", LowerSlice},
    {"stablehlo", "dynamic_slice", LowerDynamicSlice},
    {"stablehlo", "dynamic_update_slice", LowerDynamicUpdateSlice},
    {"stablehlo", "get_dimension_size", LowerGetDimensionSize},
    {"stablehlo", "dot_general", LowerDotGeneral},
    {"stablehlo", "dot", LowerDot},
    {"stablehlo", "ragged_dot", LowerRaggedDot},
    {"stablehlo", "convolution", LowerConvolution},
    {"stablehlo", "dynamic_conv", LowerConvolution},
    {"stablehlo", "reduce", LowerReduce},
    {"stablehlo", "reduce_window", LowerReduceWindow},
    {"stablehlo", "select_and_scatter", LowerSelectAndScatter},
    {"stablehlo", "sort", LowerSort},
    {"stablehlo", "map", LowerMap},
    {"stablehlo", "top_k", LowerTopK},
    {"stablehlo", "topk", LowerTopK},
    {"stablehlo", "batch_norm_inference", LowerBatchNorm},
    {"stablehlo", "batch_norm_training", LowerBatchNorm},
    {"stablehlo", "batch_norm_grad", LowerBatchNorm},
    {"stablehlo", "gather", LowerGather},
    {"stablehlo", "dynamic_gather", LowerGather},
    {"stablehlo", "scatter", LowerScatter},
    {"stablehlo", "all_gather", LowerCollective},
    {"stablehlo", "all_reduce", LowerCollective},
    {"stablehlo", "reduce_scatter", LowerCollective},
    {"stablehlo", "all_to_all", LowerCollective},
    {"stablehlo", "cross-replica-sum", LowerCollective},
    {"stablehlo", "collective_permute", LowerCollectivePermute},
    {"stablehlo", "collective_broadcast", LowerCollectivePermute},
    {"stablehlo", "custom_call", LowerCustomCall},
    {"stablehlo", "composite", LowerComposite},
    {"stablehlo", "fusion", LowerNamedComputation},
    {"stablehlo", "while", LowerWhile},
    {"stablehlo", "if", LowerBranches},
    {"stablehlo", "case", LowerBranches},
    {"stablehlo", "rng", LowerRng},
    {"stablehlo", "rng_uniform", LowerRng},
    {"stablehlo", "rng_normal", LowerRng},
    {"stablehlo", "rng_bit_generator", LowerRngBitGenerator},
    {"stablehlo", "dynamic_rng_bit_generator", LowerRngBitGenerator},
    {"stablehlo", "fft", LowerFft},
    {"stablehlo", "reduce_precision", LowerReducePrecision},
    {"stablehlo", "constant_like", LowerConstantLike},
    {"func", "call", LowerCall},
    {"arith", "constant", LowerConstant},
    {"arith", "cmpi", LowerArithCompare},
    {"arith", "cmpf", LowerArithCompare},
    {"arith", "select", LowerSelect},
    {"tensor", "extract", LowerTensorShape},
    {"tensor", "cast", LowerTensorShape},
    {"tensor", "expand_shape", LowerTensorShape},
    {"tensor", "collapse_shape", LowerTensorShape},
    {"tensor", "from_elements", LowerFromElements},
    {"tensor", "dim", LowerTensorDim},
    {"shape", "shape_of", LowerTensorDim},
    {"builtin", "unrealized_conversion_cast", LowerTensorShape},
    {"sdy", "constant", LowerConstant},
    {"sdy", "manual_computation", LowerManualComputation},
    {"sdy", "named_computation", LowerNamedComputation},
    {"sdy", "sharding_constraint", LowerIdentity},
    {"sdy", "reshard", LowerIdentity},
    {"sdy", "propagation_barrier", LowerIdentity},
    {"sdy", "data_flow_edge", LowerIdentity},
    {"sdy", "sharding_group", LowerNothing},
    {"sdy", "all_gather", LowerShardyCollective},
    {"sdy", "all_slice", LowerIdentity},
    {"sdy", "all_to_all", LowerShardyCollective},
    {"sdy", "all_reduce", LowerShardyCollective},
    {"sdy", "reduce_scatter", LowerShardyCollective},
    {"sdy", "collective_permute", LowerShardyCollective},
    {"sdy", "replicated_to_unreduced", LowerIdentity},
    {"sdy", "sharded_to_unreduced", LowerIdentity},
    {"util", "unfoldable_constant", LowerConstant},
    {"util", "global.load", LowerGlobal},
    {"util", "global.load.indirect", LowerGlobal},
    {"ml_program", "global_load_const", LowerGlobal},
    {"ml_program", "global_load", LowerGlobal},
};

Lowerer Search(std::string_view dialect, std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.dialect == dialect && entry.name == name) return entry.lowerer;
  }
  return nullptr;
}

}  // namespace

Lowerer FindLowerer(std::string_view dialect, std::string_view name) {
  if (const Lowerer found = Search(dialect, name)) return found;
  if (dialect == "stablehlo") {
    if (name.starts_with("broadcast_")) return LowerImplicitBroadcast;
    if (OpcodeOf(name) != hlo::Opcode::kUnknown) return LowerPlain;
    return hlo::KnowsCustomCall("chlo." + std::string(name)) ? LowerFunction : nullptr;
  }
  if (dialect == "arith" || dialect == "math") return LowerArith;
  return nullptr;
}

}  // namespace tilewise::mlir
