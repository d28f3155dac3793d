// The attributes of ops: a struct for each family of kinds that have the same
// ones, and what holds any of them. What the text calls the fields: the file of
// the kind in graph/ops.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "graph/shape.h"

namespace tilewise {

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

struct ParameterAttrs {
  // Dims from the fastest in memory to the slowest, as the file of a compiled
  // or lowered module has them; empty: no file says so.
  std::vector<int64_t> minor_to_major;
  bool operator==(const ParameterAttrs&) const = default;
};

struct VariableAttrs {
  bool trainable = true;
  bool of_stage = false;  // other cores of a pipeline have others in its place
  bool operator==(const VariableAttrs&) const = default;
};

struct ConstantAttrs {
  double value = 0;  // of every element
  bool operator==(const ConstantAttrs&) const = default;
};

struct CompareAttrs {
  Comparison comparison = Comparison::kEq;
  bool operator==(const CompareAttrs&) const = default;
};

struct GeluAttrs {
  bool approximate = false;  // with tanh
  bool operator==(const GeluAttrs&) const = default;
};

// What an opaque op has.
struct OpaqueAttrs {
  std::string label;  // what the op stands for
  bool operator==(const OpaqueAttrs&) const = default;
};

struct RandomAttrs {
  // The stream of numbers; empty: one of the op's own. Ops of one label and
  // shape have equal numbers.
  std::string label;
  bool operator==(const RandomAttrs&) const = default;
};

// The dims that the op works along: one of iota, concatenate and softmax, any
// number of reverse and the dynamic slices.
struct DimsAttrs {
  std::vector<int64_t> dims;
  bool operator==(const DimsAttrs&) const = default;
};

struct BroadcastAttrs {
  std::vector<int64_t> dims;  // of the result, by operand dim
  bool operator==(const BroadcastAttrs&) const = default;
};

struct TransposeAttrs {
  std::vector<int64_t> dims;  // of the operand, by result dim
  bool operator==(const TransposeAttrs&) const = default;
};

// A limit or slice size that reaches the end of the dim, whatever the batch is.
// Bind replaces it by the size.
inline constexpr int64_t kWholeDim = -1;

struct SliceAttrs {  // per dim
  std::vector<int64_t> starts, limits, strides;
  bool operator==(const SliceAttrs&) const = default;
};

struct PadAttrs {  // per dim
  std::vector<int64_t> low, high, interior;
  bool operator==(const PadAttrs&) const = default;
};

struct ReduceAttrs {          // and of arg-reduce, along one dim
  std::vector<int64_t> dims;  // removed
  Reducer reducer = Reducer::kSum;
  bool operator==(const ReduceAttrs&) const = default;
};

struct CumulativeAttrs {
  std::vector<int64_t> dims;  // one
  bool reverse = false;       // from the end of the dim
  Reducer reducer = Reducer::kSum;
  bool operator==(const CumulativeAttrs&) const = default;
};

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

// Spatial dims in order. Activations are [batch, spatial.., feature], or
// [batch, feature, spatial..] when channels_first.
struct WindowedAttrs {
  std::vector<WindowDim> window;
  bool channels_first = false;
  bool operator==(const WindowedAttrs&) const = default;
};

struct PoolAttrs : WindowedAttrs {
  Reducer reducer = Reducer::kSum;  // reduce-window
  bool operator==(const PoolAttrs&) const = default;
};

// Kernels are always [spatial.., in/groups, out].
struct ConvAttrs : WindowedAttrs {
  int64_t groups = 1;
  // Rounds f32 operands to bf16 (1 pass) or splits them into 3 or 6 bf16 passes
  // (tpu-hardware 3.2). So in dots and attention.
  int64_t precision_passes = 1;
  bool operator==(const ConvAttrs&) const = default;
};

// Dims of a dot. Result dims: batch dims, free dims of lhs, free dims of rhs.
struct DotDims {
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_contract, rhs_contract;
  bool operator==(const DotDims&) const = default;
};

struct DotAttrs : DotDims {
  int64_t precision_passes = 1;
  // Both operands are rounded to this type on their way in, each by scales of
  // its own, and so are those of the gradients (quantised training); kF32: they
  // are not.
  DType quantized = DType::kF32;
  // The result is s32 of integers and f32 of floats, as the matrix unit adds it
  // up, rather than of the type of the operands.
  bool wide = false;
  // With one batch dim, which are groups of rows, the dim of lhs behind it is uneven in truth. A
  // kernel goes over the groups in blocks of so many rows, features that are summed and features of
  // the result. None: no such kernel.
  std::vector<int64_t> blocks = {};
  bool operator==(const DotAttrs&) const = default;
};

struct GatherAttrs {      // of rows
  bool permutes = false;  // no two rows of the result are one of the table
  bool operator==(const GatherAttrs&) const = default;
};

// Dims of gather-slices and scatter-slices. For each index vector in `indices`, the
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

// Gather-slices and scatter-slices.
struct SlicesAttrs : GatherDims {
  // Scatter: the last update wins; else `reducer` joins it with the old value.
  bool assign = false;
  Reducer reducer = Reducer::kSum;
  // Scatter: the program promises indices that are in order, or of which no two
  // are one.
  bool promised = false;
  bool operator==(const SlicesAttrs&) const = default;
};

struct SortAttrs {
  std::vector<int64_t> dims;  // one
  bool descending = false;
  int64_t result = 0;  // which operand, in the order of the keys
  bool operator==(const SortAttrs&) const = default;
};

struct TopKAttrs {
  int64_t k = 0;
  int64_t result = 0;  // 0: the values, 1: their indices
  bool operator==(const TopKAttrs&) const = default;
};

struct RecurrentAttrs {
  bool reverse_time = false;  // from the last step to the first
  CellKind cell = CellKind::kLstm;
  bool operator==(const RecurrentAttrs&) const = default;
};

// Attention and its kernels.
struct AttentionAttrs {
  bool causal = false;  // no key after the query is seen
  bool flash = false;   // in one kernel, without its scores
  int64_t precision_passes = 1;
  int64_t sliding_window = 0;  // causal: keys up to its own that a query sees; 0: all
  int64_t result = 0;          // of the kernels, which have several
  // The queries are those of one core of so many, which share the positions out
  // so that each sees as many keys.
  int64_t query_parts = 1;
  double scale = 1;  // of the scores
  // Sizes of the kernel's blocks of queries and keys: forward, then of each sweep
  // of its gradient (one for all results, or one for those of keys and values and
  // one for that of queries); none: the kernel's own.
  std::vector<int64_t> blocks = {};
  bool operator==(const AttentionAttrs&) const = default;
};

struct BatchNormAttrs {
  std::vector<int64_t> dims;  // one: that of the features
  double epsilon = 0;
  double momentum = 0;  // of its moving statistics
  bool operator==(const BatchNormAttrs&) const = default;
};

struct LayerNormAttrs {
  std::vector<int64_t> dims;  // normalised together
  double epsilon = 0;
  bool operator==(const LayerNormAttrs&) const = default;
};

// Collectives, and the position on a mesh axis.
struct CollectiveAttrs {
  // All-gather: joined; reduce-scatter: shared out; all-to-all: split, then
  // joined.
  std::vector<int64_t> dims;
  int64_t group_size = 0;  // cores of a group; 0: all
  int64_t shift = 0;       // collective-permute: positions up the ring
  Reducer reducer = Reducer::kSum;
  std::string axis;  // name of the mesh axis; may be empty
  bool operator==(const CollectiveAttrs&) const = default;
};

// Its address tells the structs apart.
template <typename T>
inline constexpr char kAttributesId = 0;

// Holds one of these structs, copies and compares like it. One pointer large;
// nothing is kept while every field is at its default.
class Attributes {
 public:
  Attributes() = default;
  template <typename T, typename = std::enable_if_t<std::is_aggregate_v<T>>>
  Attributes(T value)  // NOLINT(google-explicit-constructor): stands for a T
      : held_(value == Standard<T>() ? nullptr : std::make_unique<HeldAs<T>>(std::move(value))) {}
  Attributes(const Attributes& other) : held_(other.Copy()) {}
  Attributes(Attributes&&) noexcept = default;
  Attributes& operator=(const Attributes& other) {
    if (this != &other) held_ = other.Copy();
    return *this;
  }
  Attributes& operator=(Attributes&&) noexcept = default;
  ~Attributes() = default;

  bool empty() const { return held_ == nullptr; }
  // The struct asked for must be the one that is held.
  template <typename T>
  const T& as() const {
    if (held_ == nullptr) return Standard<T>();
    TW_CHECK(held_->id == &kAttributesId<T>);
    return static_cast<const HeldAs<T>&>(*held_).value;
  }
  template <typename T>
  T& edit() {
    if (held_ == nullptr) held_ = std::make_unique<HeldAs<T>>(T());
    TW_CHECK(held_->id == &kAttributesId<T>);
    return static_cast<HeldAs<T>&>(*held_).value;
  }
  bool operator==(const Attributes& other) const {
    if (held_ == nullptr) return other.held_ == nullptr || other.held_->Equals(nullptr);
    return held_->Equals(other.held_.get());
  }

 private:
  // The attributes with every field at its default.
  template <typename T>
  static const T& Standard() {
    static const T value;
    return value;
  }
  struct Held {
    explicit Held(const char* of) : id(of) {}
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> Copy() const = 0;
    virtual bool Equals(const Held* other) const = 0;  // null: the default
    const char* id;
  };
  template <typename T>
  struct HeldAs final : Held {
    explicit HeldAs(T held) : Held(&kAttributesId<T>), value(std::move(held)) {}
    std::unique_ptr<Held> Copy() const override { return std::make_unique<HeldAs>(value); }
    bool Equals(const Held* other) const override {
      if (other == nullptr) return value == Standard<T>();
      return other->id == id && static_cast<const HeldAs*>(other)->value == value;
    }
    T value;
  };
  std::unique_ptr<Held> Copy() const { return held_ == nullptr ? nullptr : held_->Copy(); }

  std::unique_ptr<Held> held_;
};

}  // namespace tilewise
