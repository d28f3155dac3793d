// A module of XLA as its text, its protobuf form or StableHLO state it, before
// anything is made of it: computations of instructions with the attributes that
// tilewise uses. Readers fill it; build_graph and the printer read it.
//
// Texts are views into what was read, or into `texts`, so that a module of
// millions of instructions costs no copies; keep the input until the graph is
// built.

#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/boxed.h"
#include "graph/op.h"
#include "graph/shape.h"

namespace tilewise::hlo {

enum class Opcode : uint8_t {
#define TW_HLO(enumerator, name) enumerator,
#include "frontend/hlo/opcodes.def"
#undef TW_HLO
  kUnknown,  // Instruction::opcode_text has its name
};
std::string_view OpcodeName(Opcode opcode);
Opcode ParseOpcode(std::string_view name);  // kUnknown if it is none

// "{1,0:T(8,128)(2,1)S(1)}".
struct HloLayout {
  std::vector<int64_t> minor_to_major;
  std::vector<std::vector<int64_t>> tiles;  // may be empty; -1 is "*"
  int64_t memory_space = 0;
  int64_t element_bits = 0;  // 0: those of the type
  bool operator==(const HloLayout&) const = default;
};

// A layout that many shapes share; used as std::optional is.
class SharedLayout {
 public:
  SharedLayout() = default;
  SharedLayout(HloLayout layout)  // NOLINT: a layout is one
      : layout_(std::make_shared<const HloLayout>(std::move(layout))) {}
  explicit SharedLayout(std::shared_ptr<const HloLayout> layout) : layout_(std::move(layout)) {}
  bool has_value() const { return layout_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const HloLayout& operator*() const { return *layout_; }
  const HloLayout* operator->() const { return layout_.get(); }
  bool operator==(const SharedLayout& other) const {
    if (!layout_ || !other.layout_) return layout_ == other.layout_;
    return *layout_ == *other.layout_;
  }

 private:
  std::shared_ptr<const HloLayout> layout_;
};

// Which dims of a shape; those from 64 on are never in it.
class DimSet {
 public:
  bool empty() const { return bits_ == 0; }
  bool operator[](size_t dim) const { return dim < 64 && ((bits_ >> dim) & 1) != 0; }
  void Add(size_t dim) {
    if (dim < 64) bits_ |= uint64_t{1} << dim;
  }
  bool operator==(const DimSet&) const = default;

 private:
  uint64_t bits_ = 0;
};

struct HloShape {
  enum class Kind : uint8_t { kArray, kTuple, kToken, kOpaque };
  Kind kind = Kind::kArray;
  DType dtype = DType::kF32;
  // Bounds where dynamic; without one -1: the batch, or -k: k times the batch.
  std::vector<int64_t> dims;
  DimSet dynamic;
  SharedLayout layout;
  std::vector<HloShape> elements;  // of a tuple
  bool operator==(const HloShape&) const = default;
};

// Elements of a constant, in row-major order. Large ones are not kept:
// `values` is then empty and `splat` tells whether one value is known to stand
// for all.
struct Literal {
  static constexpr int64_t kMaxValues = 4096;
  std::vector<double> values;   // of each element, or empty
  std::optional<double> splat;  // every element has this value
  bool operator==(const Literal&) const = default;
};

// Dims of a convolution: where batch, feature and the spatial dims are.
struct ConvDims {
  int64_t input_batch = 0, input_feature = 0;
  std::vector<int64_t> input_spatial;
  int64_t kernel_in = 0, kernel_out = 0;
  std::vector<int64_t> kernel_spatial;
  int64_t output_batch = 0, output_feature = 0;
  std::vector<int64_t> output_spatial;
  bool operator==(const ConvDims&) const = default;
};

struct HloWindowDim {
  int64_t size = 1, stride = 1, pad_low = 0, pad_high = 0;
  int64_t window_dilation = 1, base_dilation = 1;
  bool reversal = false;
};

struct Sharding {
  enum class Kind : uint8_t { kNone, kReplicated, kMaximal, kTiled, kManual };
  Kind kind = Kind::kNone;
  std::vector<int64_t> tiles;  // of each dim; kTiled
  bool last_dim_replicated = false;
  std::string_view text;  // as written; "" in protobufs
  bool operator==(const Sharding&) const = default;
};

struct Metadata {
  std::string_view op_type, op_name, source_file;
  int32_t source_line = 0;
  int32_t source_column = 0;
};

// These are the dims of the operand that a slice cuts; a dynamic-slice has `sizes`.
struct SliceDims {
  std::vector<int64_t> starts, limits, strides, sizes;
  bool operator==(const SliceDims&) const = default;
};

// A pad has these for each dim.
struct PadDims {
  std::vector<int64_t> low, high, interior;
  bool operator==(const PadDims&) const = default;
};

// Which devices a collective joins.
struct Devices {
  std::vector<std::vector<int64_t>> groups;
  int64_t group_size = 0;   // of iota groups, or of the first group
  int64_t group_count = 0;  // 0: one of all
  std::vector<std::pair<int64_t, int64_t>> source_target;
  bool operator==(const Devices&) const = default;
};

struct Fft {
  std::vector<int64_t> length;
  std::string_view type;
  bool operator==(const Fft&) const = default;
};

// What few instructions have, apart from Instruction so that most stay small.
struct InstructionExtras {
  std::string_view opcode_text;  // of kUnknown
  Boxed<SliceDims> slice;
  Boxed<PadDims> pad;
  std::vector<HloWindowDim> window;
  Boxed<ConvDims> conv;
  int64_t feature_groups = 1, batch_groups = 1;
  // Gather: offset_dims...; scatter: update_window_dims, inserted_window_dims,
  // scatter_dims_to_operand_dims in the same fields.
  Boxed<GatherDims> gather;
  // How f32 operands are multiplied, the highest of all operands.
  enum class Precision : uint8_t { kDefault, kHigh, kHighest };
  Precision precision = Precision::kDefault;
  bool largest = true;                                  // topk
  bool unique_indices = false, sorted_indices = false;  // gather, scatter
  bool data_sized = false;  // its dims are values that the program computes
  // A dot has "dot_bf16_bf16_f32_x3", a rng-bit-generator "rng_threefry".
  std::string_view algorithm;
  Boxed<Devices> devices;
  std::optional<int64_t> channel_id;
  std::string_view custom_call_target;
  std::string_view backend_config;  // raw
  std::string_view fusion_kind;     // "kLoop"
  std::string_view distribution;    // rng: "rng_uniform"
  std::string_view infeed_config;
  Boxed<Fft> fft;
  int64_t k = 0;       // topk
  double epsilon = 0;  // batch norm
  int64_t feature_index = 0;
  int64_t exponent_bits = 0, mantissa_bits = 0;  // reduce-precision
  std::optional<int64_t> trip_count;             // while: stated in its backend config
  Boxed<Sharding> sharding;
  std::vector<std::pair<std::string_view, std::string_view>> frontend;
};

// The index is a Comparison.
inline constexpr std::array<std::string_view, 6> kComparisonWords = {"EQ", "NE", "LT",
                                                                     "LE", "GT", "GE"};

struct Instruction {
  std::string_view name;
  Opcode opcode = Opcode::kUnknown;  // kUnknown: more().opcode_text has it
  Comparison comparison = Comparison::kEq;
  bool is_stable = false;
  int32_t line = 0;  // in the file, from 1; 0: not text
  HloShape shape;
  std::vector<int32_t> operands;  // indices in the computation, all smaller
  std::vector<int32_t> called;    // computations: to_apply; calls; condition and
                                  // body; branches
  std::vector<int64_t> dims;      // dimensions={...}
  // parameter: its number; get-tuple-element: the element; iota and sort: dims.
  int64_t index = 0;
  Metadata metadata;
  Boxed<Literal> literal;
  Boxed<DotDims> dot;
  std::unique_ptr<InstructionExtras> extras;  // null: all as above

  const InstructionExtras& more() const;  // *extras, or the standard one
  InstructionExtras& Extras();            // makes them when there are none
};

// Covers all computations of a module: those of fusions are not ops of the graph, so
// there may be more of them than a graph has (kMostGraphOps).
inline constexpr int64_t kMostInstructions = 500'000;

struct Computation {
  std::string_view name;
  std::vector<Instruction> instructions;  // operands before users
  int32_t root = 0;
  bool is_fusion = false;
};

// Output `output` (index in the result tuple, empty: the result itself) is
// written over argument `parameter` (`index` in it).
struct Alias {
  std::vector<int64_t> output;
  int64_t parameter = 0;
  std::vector<int64_t> index;
};

struct Module {
  Module() = default;
  Module(Module&&) noexcept = default;
  Module& operator=(Module&&) noexcept = default;

  std::string_view name;
  std::vector<Computation> computations;
  int32_t entry = 0;
  std::vector<Alias> aliases;
  // Arguments that may be written over, whichever result fits.
  std::vector<std::pair<int64_t, std::vector<int64_t>>> donors;
  int64_t num_partitions = 1;
  int64_t replica_count = 1;
  bool is_scheduled = false;
  std::string_view dialect;  // "hlo", "stablehlo", "mhlo"
  // frontend_attributes of the module.
  std::vector<std::pair<std::string_view, std::string_view>> frontend;
  std::deque<std::string> texts;  // that are not views into the input
};

// Whether any instruction of the entry computation and what it calls has a
// layout with tiles: the module comes out of a compiler for TPUs.
bool HasTiledLayouts(const Module& module);

}  // namespace tilewise::hlo
