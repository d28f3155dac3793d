// Turns nodes into ops of the graph, from the results that are wanted
// backwards: functions are inlined, of conditionals one branch is taken, the
// bodies of loops are put in once. What no result needs is never looked at.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/status.h"
#include "frontend/tensorflow/instance.h"
#include "frontend/tensorflow/loop_frames.h"
#include "frontend/tensorflow/ops/graph_state.h"
#include "frontend/tensorflow/ops/op_context.h"
#include "frontend/tensorflow/work.h"

namespace tilewise::tf {

// What is known of a graph before it is built.
struct GraphFacts {
  // The graph has its gradients and updates.
  bool training = false;
  // This is what a signature says of a placeholder's shape, by the
  // placeholder's name.
  std::map<std::string_view, TensorShape> input_shapes;
  // Whether a variable (by name) is trained; others: as its type says.
  std::map<std::string, bool, std::less<>> trainable;
  // The batch that sizes in the graph were made for, where they were.
  std::optional<int64_t> batch;
};

// How nodes of an op are evaluated.
enum class Handling : uint8_t {
  kPlain,  // of the op table
  kConst,
  kPlaceholder,
  kVariable,
  kFeed,  // iterators, infeed, queues: what they give is fed by the host
  kHost,  // datasets, tables, readers
  kNothing,
  kForward,
  kCall,
  kIf,
  kCase,
  kWhile,
  kSwitch,
  kMerge,
  kExit,
  kPop,
  kReplicate,
  kSymbolicGradient,
  kUnknown,
};

class Evaluator {
 public:
  // `whole`: of the graph of `state`, outside of its functions.
  Evaluator(GraphState& state, const GraphFacts& facts, const GraphIndex& whole);
  ~Evaluator();

  // Values of results of the graph itself.
  absl::StatusOr<std::vector<Value>> Graph(std::span<const Edge> roots);
  // Evaluates nodes for what they do to variables.
  absl::Status GraphNodes(std::span<const int32_t> nodes);
  // Values of the results of a function.
  absl::StatusOr<std::vector<Value>> Function(const FunctionDef& function,
                                              std::vector<Value> arguments);
  absl::StatusOr<const GraphIndex*> IndexOf(const FunctionDef& function);

  // Returns the batch that the graph was made for, where the last call failed
  // because of it.
  std::optional<int64_t> wanted_batch() const { return wanted_batch_; }
  // Returns all results of a node of the graph that was evaluated.
  std::vector<Value> ResultsOf(int32_t node) const;
  // The operands of such nodes.
  std::vector<Value> OperandsOf(std::span<const int32_t> nodes) const;
  int64_t evaluated() const { return evaluated_; }

 private:
  struct OpEntry {
    Handling handling = Handling::kUnknown;
    OpFunction function = nullptr;
  };
  class FrameRun;  // a loop of TensorFlow 1 (loops.cc)

  OpEntry Entry(std::string_view op);
  static Handling HandlingOf(std::string_view op);

  // The driver (evaluator.cc).
  absl::Status Run(Instance& in, std::span<const int32_t> roots, const LoopScope& loop);
  // A node, after those that it needs.
  absl::Status RunOne(Instance& in, int32_t root, const LoopScope& loop);
  // Appends the nodes whose values `node` needs before it can be evaluated, or
  // go on being evaluated.
  absl::Status Needs(Instance& in, int32_t node, std::vector<int32_t>& needs);
  absl::Status Evaluate(Instance& in, int32_t node, const LoopScope& loop);
  std::vector<Value> Inputs(const Instance& in, int32_t node) const;
  Attrs ResolvedAttrs(const Instance& in, const NodeDef& node);
  const LoopFrames& FramesOf(const GraphIndex& index);

  // Ops of the table, and what is done without (plain_ops.cc).
  absl::Status Plain(Instance& in, int32_t node, OpFunction function, const LoopScope& loop);
  absl::Status Default(OpContext& context, const std::string& why);
  std::optional<int64_t> BakedBatch(const std::vector<Value>& inputs) const;
  void CompareRecorded(const OpContext& context);
  void SetPhase(const NodeDef& node);

  // Leaves (leaves.cc).
  Value Const(const NodeDef& node, Attrs attrs);
  Value Placeholder(Instance& in, int32_t node);
  Value VariableNode(const NodeDef& node, Attrs attrs);
  std::vector<Value> Feed(const NodeDef& node, Attrs attrs);
  Value FedTensor(const std::optional<TensorShape>& shape, DataType type, std::string_view name);
  void RecordOpenDims(const TensorShape& shape, OpId parameter);

  // Functions (calls.cc).
  absl::Status Call(Instance& in, int32_t node, const LoopScope& loop);
  absl::Status Branch(Instance& in, int32_t node, Handling handling, const LoopScope& loop);
  absl::Status Replicate(Instance& in, int32_t node, const LoopScope& loop);
  absl::StatusOr<std::vector<Value>> CallFunction(const FunctionDef& function,
                                                  std::vector<Value> arguments, Attrs call,
                                                  const LoopScope& loop, int depth);
  absl::Status BindArguments(Instance& in, std::vector<Value> arguments);
  absl::StatusOr<std::vector<Value>> Results(Instance& in, const LoopScope& loop);

  // Conditionals of TensorFlow 1 (merge.cc).
  struct Choice;
  absl::Status MergeNeeds(Instance& in, int32_t node, std::vector<int32_t>& needs);
  Choice Analyze(const Instance& in, int32_t merge);

  // Loops (loops.cc).
  absl::Status RunFrame(Instance& in, int32_t exit, const LoopScope& loop);
  absl::Status While(Instance& in, int32_t node, const LoopScope& loop);
  LoopScope EnterLoop(const LoopScope& outer, int64_t trips);
  Value Carry(const Value& value);
  void NoteIterations(std::string_view node, bool found, bool bound);

  GraphState& state_;
  const GraphFacts& facts_;
  const GraphIndex& whole_;
  FunctionWork work_;
  absl::flat_hash_map<std::string_view, OpEntry> ops_;
  std::map<const FunctionDef*, std::unique_ptr<GraphIndex>> indices_;
  std::map<const GraphIndex*, std::unique_ptr<LoopFrames>> frames_;
  std::unique_ptr<Instance> graph_;
  std::deque<std::vector<Attr>> resolved_attrs_;
  // The shapes that the last node recorded, and their bytes: the next often has
  // the same.
  std::string_view recorded_bytes_;
  std::optional<std::vector<TensorShape>> recorded_;
  std::optional<int64_t> wanted_batch_;
  int64_t evaluated_ = 0;
  int64_t most_evaluated_;
  int64_t merge_steps_ = 0;
  int64_t guesses_ = 0;
  int frame_depth_ = 0;
};

}  // namespace tilewise::tf
