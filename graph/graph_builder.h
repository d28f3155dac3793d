// The only way to make a Graph. Shapes are inferred and checked as ops are
// added. Errors stick: after the first one every call returns kNoOp and Build
// returns the error with the location that was current, so callers check once.
// Readers, whose nodes may fail one by one, take the error and roll back to
// where the node began. Until then op(kNoOp) and shape(kNoOp) answer with a stand-in of eight dims
// of size 1, so that code which looks at dims between two calls stays in bounds.
//
// Moves that change nothing (a reshape to the same dims, a slice of all) return
// their operand.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

struct AttentionOptions {
  bool causal = false;
  int64_t sliding_window = 0;   // see AttentionAttrs; only where causal
  bool flash = false;           // one kernel that keeps no scores
  std::optional<double> scale;  // of the scores; 1 / sqrt(depth) when absent
  int64_t precision_passes = 1;
  std::vector<int64_t> blocks;  // of the kernel; see AttentionAttrs
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name);
  // Room for the names of so many ops, where a file says how many are to come.
  void ReserveNames(size_t ops) { names_.reserve(ops); }

  // Context given to every op added until changed. `Scope` prefixes names:
  // scope "conv1" and op name "kernel" make "conv1/kernel"; names are made
  // unique by appending "_1", "_2"...
  void SetLocation(Location location) { location_ = std::move(location); }
  void SetScope(std::string_view scope) { scope_ = scope; }
  // Ops without a name of their own get this one in place of that of their kind.
  void SetName(std::string_view name) { name_ = name; }
  void SetPhase(Phase phase) { phase_ = phase; }
  void SetLoop(EnclosingLoop loop) { loop_ = loop; }
  EnclosingLoop loop() const { return loop_; }
  // Whether tensors may have dims of size 0: while ops are made for what is known
  // of them, and rolled back.
  void SetTakesEmpty(bool takes) { least_size_ = takes ? 0 : 1; }
  void SetOrigin(OpId origin) { origin_ = origin; }  // kNoOp: the op itself

  // Adds any op; `shape` is for kinds whose shape does not follow from operands.
  OpId Add(OpKind kind, std::vector<OpId> operands, Attributes attrs = {}, Shape shape = {}) {
    return AddMade(kind, std::move(operands), std::move(attrs), std::move(shape));
  }

  // Leaves.
  OpId Parameter(Shape shape, std::string_view name);
  OpId Variable(Shape shape, std::string_view name, bool trainable);
  OpId Constant(double value, Shape shape);
  OpId Scalar(double value, DType dtype) { return Constant(value, {dtype, {}}); }
  OpId Iota(Shape shape, int64_t dim);
  OpId PartitionId(int64_t group_size, std::string_view axis);

  // Elementwise. Binary operands must have equal shapes and types; use
  // BroadcastLike or AddScalar... to make them so.
  OpId Unary(OpKind kind, OpId x);
  OpId Binary(OpKind kind, OpId x, OpId y);
  OpId Compare(Comparison comparison, OpId x, OpId y);
  OpId Select(OpId pred, OpId on_true, OpId on_false);
  OpId Convert(OpId x, DType dtype);                 // x itself when it has that type
  OpId BinaryScalar(OpKind kind, OpId x, double y);  // y broadcast to x

  // Data movement.
  OpId Broadcast(OpId x, std::vector<Dim> dims, std::vector<int64_t> mapping);
  // numpy-style: trailing dims aligned, size-1 dims stretched.
  OpId BroadcastTo(OpId x, const std::vector<Dim>& dims);
  OpId Reshape(OpId x, std::vector<Dim> dims);
  OpId BitcastConvert(OpId x, Shape shape);
  OpId Transpose(OpId x, std::vector<int64_t> permutation);
  OpId Reverse(OpId x, std::vector<int64_t> dims);
  // A limit of kWholeDim keeps a dim whole, the only way to slice next to a
  // per-batch dim. No strides: 1 each.
  OpId Slice(OpId x, std::vector<int64_t> starts, std::vector<int64_t> limits,
             std::vector<int64_t> strides);
  // Slice of one dim; the other dims (per-batch ones too) are kept whole.
  OpId SliceDim(OpId x, int64_t dim, int64_t start, int64_t limit, int64_t stride = 1);
  OpId Pad(OpId x, double value, std::vector<int64_t> low, std::vector<int64_t> high,
           std::vector<int64_t> interior);
  OpId Concatenate(const std::vector<OpId>& xs, int64_t dim);
  // Part of `dims`, `sizes` long, from scalar integer `starts`, one per dim.
  OpId DynamicSlice(OpId x, const std::vector<OpId>& starts, std::vector<int64_t> dims,
                    const std::vector<int64_t>& sizes);
  // x with `update` in the place of such a part.
  OpId DynamicUpdateSlice(OpId x, OpId update, const std::vector<OpId>& starts,
                          std::vector<int64_t> dims);
  // x, but not before `others` are computed, and never merged with x itself.
  OpId Barrier(OpId x, const std::vector<OpId>& others);

  // x in the memory of the host, for CopyFromHost alone.
  OpId CopyToHost(OpId x);
  // x back from there, sent when `others` are computed.
  OpId CopyFromHost(OpId host, const std::vector<OpId>& others);

  // Reductions and windows.
  OpId Reduce(Reducer reducer, OpId x, std::vector<int64_t> dims);
  // Index of the first largest (kMax) or smallest (kMin) element along `dim`.
  OpId ArgReduce(Reducer reducer, OpId x, int64_t dim);
  OpId ReduceWindow(Reducer reducer, OpId x, std::vector<WindowDim> window, bool channels_first);
  OpId SelectAndScatter(OpId x, OpId dy, std::vector<WindowDim> window, bool channels_first);

  // Running sums, maxima... along `dim`, from its end when `reverse`.
  OpId Cumulative(Reducer reducer, OpId x, int64_t dim, bool reverse = false);

  // Matrix unit.
  OpId Dot(OpId lhs, OpId rhs, DotDims dims, int64_t precision_passes = 1);
  OpId DotAs(OpId lhs, OpId rhs, DotAttrs attrs);
  // Contracts the last dim of x with dim 0 of a rank-2 y.
  OpId MatMul(OpId x, OpId y);
  OpId Convolution(OpId x, OpId kernel, std::vector<WindowDim> window, int64_t groups,
                   bool channels_first, int64_t precision_passes = 1);
  OpId ConvInputGrad(OpId dy, OpId kernel, const Shape& x_shape, const ConvAttrs& forward);
  OpId ConvKernelGrad(OpId x, OpId dy, const Shape& kernel_shape, const ConvAttrs& forward);

  // The rest.
  OpId Gather(OpId table, OpId indices);
  OpId ScatterAdd(OpId indices, OpId updates, const Shape& table_shape);
  OpId GatherSlices(OpId operand, OpId indices, GatherDims dims);
  // `assign`: the last update wins; else `reducer` joins it with the old value.
  OpId ScatterSlices(OpId operand, OpId indices, OpId updates, GatherDims dims, Reducer reducer,
                     bool assign);
  OpId Rng(OpKind kind, Shape shape);
  OpId RngCategorical(OpId logits);
  OpId Recurrent(CellKind cell, OpId z, OpId u, bool reverse_time);
  OpId RecurrentGrad(CellKind cell, OpId z, OpId u, OpId h, OpId dh, bool reverse_time);
  // `operands`: keys, then values of the same dims. The result is operand
  // `result` in the order of the keys along `dim`; ties keep their order.
  OpId Sort(const std::vector<OpId>& operands, int64_t dim, bool descending = false,
            int64_t result = 0);
  // Takes the top k of the last dim of x. Result 0: the values, 1: their indices.
  OpId TopK(OpId x, int64_t k, int64_t result = 0);
  // Dims and mask: op_kinds.def.
  OpId Attention(OpId q, OpId k, OpId v, const AttentionOptions& options = {}, OpId mask = kNoOp);
  // The same value, written out: what is virtual otherwise becomes memory.
  OpId Copy(OpId x);
  // `operands` and results: graph/ops/attention.cc. `attention`: attributes.
  OpId FlashAttention(const std::vector<OpId>& operands, const AttentionAttrs& attention,
                      int64_t result);
  OpId FlashAttentionGrad(const std::vector<OpId>& operands, const AttentionAttrs& attention,
                          int64_t result);
  // Collectives of groups of `group_size` cores on mesh axis `axis`.
  OpId AllReduce(OpId x, int64_t group_size = 0, std::string_view axis = {});
  OpId AllGather(OpId x, int64_t dim, int64_t group_size, std::string_view axis = {});
  OpId ReduceScatter(OpId x, int64_t dim, int64_t group_size, std::string_view axis = {});
  OpId AllToAll(OpId x, int64_t split_dim, int64_t concat_dim, int64_t group_size,
                std::string_view axis = {});
  OpId CollectivePermute(OpId x, int64_t shift, int64_t group_size, std::string_view axis = {});
  OpId Softmax(OpId x, int64_t dim);
  OpId SoftmaxCrossEntropy(OpId logits, OpId labels);
  OpId BatchNormTraining(OpId x, OpId scale, OpId offset, int64_t feature_dim, double epsilon);
  // The same, and a training step updates the moving statistics, which are
  // variables of the type of x.
  OpId BatchNormTracking(OpId x, OpId scale, OpId offset, OpId mean, OpId variance,
                         int64_t feature_dim, double epsilon, double momentum);
  OpId BatchNormInference(OpId x, OpId scale, OpId offset, OpId mean, OpId variance,
                          int64_t feature_dim, double epsilon);
  OpId LayerNorm(OpId x, OpId scale, OpId offset, std::vector<int64_t> dims, double epsilon);
  OpId Gelu(OpId x, bool approximate);
  OpId Opaque(std::string_view label, std::vector<OpId> operands, Shape shape);

  // A copy of `op` (of another graph) on new operands: same kind, attributes,
  // phase, origin, location and name; its shape is inferred anew when
  // `reinfer`, else kept. What rewriting passes use.
  OpId Clone(const Op& op, std::vector<OpId> operands, bool reinfer = false);
  // The same, and `op` gives what it has.
  OpId Clone(Op&& op, std::vector<OpId> operands);

  void AddOutput(OpId value, Output::Role role, OpId variable = kNoOp);

  // Records an error of the caller's, with the current location.
  void Fail(const std::string& message);
  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }
  // The first error, without its location; there is none then.
  absl::Status TakeStatus();

  // A place to roll back to: ops, outputs, names and the error are as they were
  // then. Names of ops that are gone are free again. Marks are rolled back to
  // last one first.
  struct Mark {
    OpId ops = 0;
    size_t outputs = 0;
    bool ok = true;
  };
  Mark MarkHere() const { return {OpId(size()), graph_.outputs_.size(), ok()}; }
  void RollBack(const Mark& mark);

  // The reference stays good while ops are added, until Build.
  const Op& op(OpId id) const { return id == kNoOp ? stand_in_ : ops_[id]; }
  const Shape& shape(OpId id) const { return op(id).shape; }
  int32_t size() const { return static_cast<int32_t>(ops_.size()); }

  absl::StatusOr<Graph> Build();

  // A graph of ops that other graphs were made of: ids, shapes and names are
  // taken to be right, but for operands, which must precede their users, and
  // names, which must differ.
  static absl::StatusOr<Graph> Assemble(std::string name, OpList ops, std::vector<Output> outputs);

 private:
  // The name of an op, or a name.
  struct NameOf {
    NameOf(const Op* op) : name(op->name) {}       // NOLINT: either will do
    NameOf(std::string_view text) : name(text) {}  // NOLINT
    std::string_view name;

    struct Hash {
      using is_transparent = void;
      size_t operator()(NameOf of) const { return absl::Hash<std::string_view>{}(of.name); }
    };
    struct Equal {
      using is_transparent = void;
      bool operator()(NameOf a, NameOf b) const { return a.name == b.name; }
    };
  };

  // Infers and checks the shape, then appends under the current context.
  OpId Add(Op op, std::string_view name = {});
  OpId AddMade(OpKind kind, std::vector<OpId> operands, Attributes attrs = {}, Shape shape = {});
  // Finishes the last op: its shape, the current context and its name.
  OpId Finish(std::string_view name);
  absl::Status InferInto(Op& op) const;
  OpId Append(Op op, std::string full_name);
  void MakeNameUnique(Op& op);  // one of ops_
  void ForgetName(const Op& op);
  bool KnowsAll(const std::vector<OpId>& ids);

  Graph graph_;  // without its ops until Build
  OpList ops_;
  absl::Status status_;
  absl::Status failure_;  // status_ without its location
  Location location_;
  std::string scope_;
  std::string name_;
  Phase phase_ = Phase::kForward;
  EnclosingLoop loop_;
  OpId origin_ = kNoOp;
  int64_t least_size_ = 1;
  Op stand_in_;
  // The names in use, by the op of ops_ that has it, and of those that were
  // asked for twice the next suffix to try. Never iterated.
  absl::flat_hash_set<const Op*, NameOf::Hash, NameOf::Equal> names_;
  absl::flat_hash_map<std::string, int> next_suffix_;
};

}  // namespace tilewise
