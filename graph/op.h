// One operation of a graph: kind, result shape, operands, typed attributes.
// Every op has exactly one result.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/boxed.h"
#include "base/id.h"
#include "base/location.h"
#include "graph/shape.h"

namespace tilewise {

enum class OpKind : uint8_t {
#define TW_OP(enumerator, name, op_class) enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
};

enum class OpClass : uint8_t {
  kLeaf,
  kElementwise,
  kData,
  kReduce,
  kWindow,
  kMxu,
  kIndex,
  kRandom,
  kRecurrent,
  kSort,
  kAttention,
  kTransfer,
  kCollective,
  kComposite,
  kOpaque,
};

std::string_view OpName(OpKind kind);
OpClass ClassOf(OpKind kind);

// Index of an op in its graph; operands always have smaller ids.
using OpId = Id<struct Op>;
inline constexpr OpId kNoOp;

// kOther: a computation of the user's, as expensive as one of the others.
enum class Reducer : uint8_t {
  kSum,
  kMax,
  kMin,
  kProduct,
  kAnd,
  kOr,
  kXor,
  kOther,
};
enum class Comparison : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };
enum class CellKind : uint8_t { kSimpleRnn, kLstm, kGru };

// What part of the training step an op belongs to.
enum class Phase : uint8_t { kForward, kLoss, kBackward, kUpdate };
std::string_view PhaseName(Phase phase);

// One spatial dim of a window. Output size =
//   floor((size_in + pad_low + pad_high - ((size - 1) * dilation + 1)) /
//   stride) + 1, where size_in is (size - 1) * base_dilation + 1 of the operand
//   (zeros between its elements). Padding may be negative: elements left out.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t pad_low = 0;
  int64_t pad_high = 0;
  int64_t dilation = 1;       // of the window (kernel)
  int64_t base_dilation = 1;  // of the operand; not kSelectAndScatter
  bool operator==(const WindowDim&) const = default;
};

// In Attributes::limits: up to the end of the dim, whatever the batch is. Bind
// replaces it by the size.
inline constexpr int64_t kWholeDim = -1;

// Dims of a dot. Result dims: batch dims, free dims of lhs, free dims of rhs.
struct DotDims {
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_contract, rhs_contract;
  bool operator==(const DotDims&) const = default;
};

// Dims of gather-slices and scatter-slices. For each place in `indices`, the
// vector along index_dim (of length 1 when that is the rank of indices) holds
// where the slice starts in the operand's dims start_dims; other dims start at
// 0, batch dims at the place's own index.
struct GatherDims {
  std::vector<int64_t> offset_dims;     // of the result (updates), ascending:
                                        // those of the slice
  std::vector<int64_t> collapsed_dims;  // of the operand: of size 1, left out
  std::vector<int64_t> start_dims;      // of the operand, by index component
  std::vector<int64_t> operand_batch, indices_batch;
  // Gather: of each operand dim; kWholeDim: all of it, the only size of a
  // per-batch dim but 1.
  std::vector<int64_t> slice_sizes;
  int64_t index_dim = 0;
  bool operator==(const GatherDims&) const = default;
};

// Where an op of a loop stands. A loop's body is in the graph once; what it
// carries from iteration to iteration enters through a barrier. Or each
// iteration of it is there, with a number of its own, as where layers are
// scanned that have each its weights (lax.scan).
struct LoopPlace {
  // 0: in no loop; -i: in the loop that computes the gradients of loop i. An
  // inner loop has a number of its own.
  int32_t id = 0;
  int64_t trips = 1;  // of this loop and those around it, multiplied
  bool is_one_trip() const { return id != 0 && trips == 1; }
  bool operator==(const LoopPlace&) const = default;
};

// Only the fields that the kind names (op_kinds.def, graph/ops) are meaningful.
struct Attributes {
  std::vector<int64_t> dims;
  std::vector<int64_t> starts, limits, strides;          // slice
  std::vector<int64_t> pad_low, pad_high, pad_interior;  // pad, per dim
  // Convolutions and windows: spatial dims in order. Activations are
  // [batch, spatial.., feature], or [batch, feature, spatial..] when
  // channels_first; kernels are always [spatial.., in/groups, out].
  // Flash attention: sizes of its blocks of queries and keys: forward, then of
  // each sweep of its gradient (one for all results, or one for those of keys
  // and values and one for that of queries); none: the kernel's own.
  // Dot with one batch dim: the batch are groups of rows, the dim of lhs behind
  // it, that are uneven in truth; a kernel goes over them in blocks of so many
  // rows, features that are summed and features of the result.
  std::vector<WindowDim> window;
  bool channels_first = false;
  int64_t groups = 1;
  Boxed<DotDims> dot;
  Boxed<GatherDims> gather;
  Reducer reducer = Reducer::kSum;
  Comparison comparison = Comparison::kEq;
  CellKind cell = CellKind::kLstm;
  bool reverse_time = false;  // recurrent: from the last step to the first
  bool approximate = false;   // gelu
  bool trainable = true;      // variable
  bool causal = false;        // attention: no key after the query is seen
  bool flash = false;         // attention: in one kernel, without its scores
  bool descending = false;    // sort
  bool reverse = false;       // cumulative
  bool assign = false;        // scatter-slices: the last update wins; gather: a
                              // permutation, of which no two rows meet
  double value = 0;           // constant
  double epsilon = 0;         // norms
  double scale = 1;           // attention: of the scores
  double momentum = 0;        // batch norm: of its moving statistics
  int64_t k = 0;              // top-k
  // Causal attention: keys up to its own that a query sees; 0: all.
  int64_t sliding_window = 0;
  int64_t result = 0;      // number of the result, of kinds with several
  int64_t group_size = 0;  // collectives: cores of a group; 0: all
  int64_t shift = 0;       // collective-permute
  // Rounds a conv or dot's f32 operands to bf16 (1 pass) or splits them into
  // 3 or 6 bf16 passes (tpu-hardware 3.2).
  int64_t precision_passes = 1;
  // Dot: both operands are rounded to this type on their way in, each by
  // scales of its own, and so are those of its gradients (quantised training);
  // kF32: they are not.
  DType quantized = DType::kF32;
  // Dot: the result is s32 of integers and f32 of floats, as the matrix unit
  // adds it up, rather than of the type of the operands.
  bool wide = false;
  std::string label;  // opaque: what it stands for; random: its stream
  std::string axis;   // collectives: name of the mesh axis; may be empty
  bool operator==(const Attributes&) const = default;
};

struct Op {
  OpId id = kNoOp;
  OpKind kind = OpKind::kOpaque;
  Shape shape;
  std::vector<OpId> operands;
  Boxed<Attributes> attrs;
  std::string name;   // unique in the graph: "conv1/kernel"
  Location location;  // in the user's file; location.item is the layer
  Phase phase = Phase::kForward;
  LoopPlace loop;
  // The op of the loaded (forward) graph that this one was made for, carried
  // through every pass; itself in the loaded graph; kNoOp if none (update of
  // the optimizer has the variable's id).
  OpId origin = kNoOp;
};

// Whether the value is there before the step begins.
inline bool IsArgument(const Op& op) {
  return op.kind == OpKind::kParameter || op.kind == OpKind::kVariable;
}

}  // namespace tilewise
