// The driver: a worklist per graph or function body. Calls and loops within
// calls and loops nest, up to a fixed depth; nothing else recurses.

#include "frontend/tensorflow/evaluator.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "absl/cleanup/cleanup.h"
#include "frontend/tensorflow/cycle.h"
#include "frontend/tensorflow/record_facts.h"

namespace tilewise::tf {
namespace {

// Nodes that are evaluated in all, inlined functions counted each time: so many
// for each one in the file, and some. Functions that call each other twice and
// twice again end here.
constexpr int64_t kMaxCopies = 4;
constexpr int64_t kMinEvaluated = 200'000;
// Ops of the graph, of about a kilobyte each.
constexpr int32_t kMaxOps = 1'500'000;

int64_t MostEvaluated(const GraphDef& graph) {
  auto nodes = static_cast<int64_t>(graph.nodes.size());
  for (const FunctionDef& function : graph.functions) {
    nodes += static_cast<int64_t>(function.nodes.size());
  }
  return kMinEvaluated + kMaxCopies * nodes;
}

// Says where a node is, for messages.
std::string Place(const Instance& in, int32_t node) {
  std::string place = fmt::format("node '{}'", in.index().node(node).name);
  if (in.index().function() != nullptr) {
    place += fmt::format(" of function '{}'", in.index().function()->name);
  }
  return place;
}

// The nodes from `start` on to the end of the stack that wait for the one above
// them; others on it wait for nothing yet.
std::vector<int32_t> CycleOf(const Instance& in, const std::vector<int32_t>& stack, int32_t start) {
  std::vector<int32_t> cycle;
  for (auto node = stack.rbegin(); node != stack.rend(); ++node) {
    const bool is_argument = in.index().IsArgument(*node);
    const bool again = !cycle.empty() && cycle.back() == *node;  // for two operands
    if (in.waiting(*node) && !is_argument && !again) cycle.push_back(*node);
    if (*node == start) break;
  }
  return cycle;
}

// Whether what a node needs is known only when it is evaluated.
bool NeedsAreOpen(std::string_view op) {
  return IsExit(op) || IsMerge(op) || op == "StackPopV2" || op == "StackPop";
}

// The roots behind all nodes that they are sure to need, which come in the order
// of the file: ops run in the order in which the program made them, as far as
// their operands let them.
std::vector<int32_t> InFileOrder(const Instance& in, std::span<const int32_t> roots) {
  const GraphIndex& index = in.index();
  std::vector<int32_t> found;
  std::vector<bool> seen(index.size(), false);
  std::vector<int32_t> stack(roots.begin(), roots.end());
  while (!stack.empty()) {
    const int32_t node = stack.back();
    stack.pop_back();
    if (node < 0 || index.IsArgument(node) || seen[node] || in.done(node)) continue;
    seen[node] = true;
    if (NeedsAreOpen(index.node(node).op)) continue;
    found.push_back(node);
    for (const Edge& edge : index.inputs(node)) stack.push_back(edge.node);
  }
  std::sort(found.begin(), found.end());
  found.insert(found.end(), roots.begin(), roots.end());
  return found;
}

}  // namespace

Evaluator::Evaluator(GraphState& state, const GraphFacts& facts, const GraphIndex& whole)
    : state_(state),
      facts_(facts),
      whole_(whole),
      work_(state.graph),
      most_evaluated_(MostEvaluated(state.graph)) {}

Evaluator::~Evaluator() = default;

absl::StatusOr<const GraphIndex*> Evaluator::IndexOf(const FunctionDef& function) {
  std::unique_ptr<GraphIndex>& index = indices_[&function];
  if (index == nullptr) {
    absl::StatusOr<GraphIndex> made = GraphIndex::Make(state_.graph, &function);
    if (!made.ok()) {
      return Annotate(made.status(), fmt::format("function '{}'", function.name));
    }
    index = std::make_unique<GraphIndex>(std::move(*made));
  }
  return index.get();
}

const LoopFrames& Evaluator::FramesOf(const GraphIndex& index) {
  std::unique_ptr<LoopFrames>& frames = frames_[&index];
  if (frames == nullptr) frames = std::make_unique<LoopFrames>(index);
  return *frames;
}

absl::StatusOr<std::vector<Value>> Evaluator::Graph(std::span<const Edge> roots) {
  std::vector<int32_t> nodes;
  nodes.reserve(roots.size());
  for (const Edge& root : roots) nodes.push_back(root.node);
  TW_RETURN_IF_ERROR(GraphNodes(nodes));
  std::vector<Value> values;
  values.reserve(roots.size());
  for (const Edge& root : roots) values.push_back(graph_->Get(root));
  return values;
}

std::vector<Value> Evaluator::ResultsOf(int32_t node) const {
  std::vector<Value> values;
  if (graph_ == nullptr) return values;
  for (int32_t i = 0; i < graph_->count(node); ++i) {
    values.push_back(graph_->Get({node, i}));
  }
  return values;
}

std::vector<Value> Evaluator::OperandsOf(std::span<const int32_t> nodes) const {
  std::vector<Value> values;
  for (const int32_t node : nodes) {
    for (Value& value : Inputs(*graph_, node)) {
      values.push_back(std::move(value));
    }
  }
  return values;
}

absl::Status Evaluator::GraphNodes(std::span<const int32_t> nodes) {
  if (graph_ == nullptr) {
    graph_ = std::make_unique<Instance>(whole_, Attrs{}, 0);
  }
  return Run(*graph_, nodes, {});
}

absl::StatusOr<std::vector<Value>> Evaluator::Function(const FunctionDef& function,
                                                       std::vector<Value> arguments) {
  return CallFunction(function, std::move(arguments), {}, {}, 0);
}

absl::Status Evaluator::Run(Instance& in, std::span<const int32_t> roots, const LoopScope& loop) {
  const FunctionDef* body = in.index().function();
  const std::string_view around =
      std::exchange(state_.function, body == nullptr ? std::string_view() : body->name);
  const absl::Cleanup leave = [&] { state_.function = around; };
  for (const int32_t node : InFileOrder(in, roots)) {
    TW_RETURN_IF_ERROR(RunOne(in, node, loop));
  }
  return absl::OkStatus();
}

absl::Status Evaluator::RunOne(Instance& in, int32_t root, const LoopScope& loop) {
  std::vector<int32_t> stack = {root};
  std::vector<int32_t> needs;
  while (!stack.empty()) {
    const int32_t node = stack.back();
    if (in.done(node)) {
      stack.pop_back();
      continue;
    }
    needs.clear();
    TW_RETURN_IF_ERROR(Needs(in, node, needs));
    in.SetWaiting(node);
    bool ready = true;
    for (auto need = needs.rbegin(); need != needs.rend(); ++need) {
      if (in.done(*need)) continue;
      if (in.waiting(*need)) {
        return InvalidInput(fmt::format("{}: {}", Place(in, *need),
                                        DescribeCycle(in.index(), CycleOf(in, stack, *need))));
      }
      ready = false;
      stack.push_back(*need);
    }
    if (!ready) continue;
    if (++evaluated_ > most_evaluated_ || state_.builder.size() > kMaxOps) {
      return InvalidInput(fmt::format(
          "{} is reached after {} nodes of inlined functions and {} ops, "
          "expected fewer than {} and {}",
          Place(in, node), evaluated_, state_.builder.size(), most_evaluated_, kMaxOps));
    }
    TW_RETURN_IF_ERROR(Evaluate(in, node, loop));
    stack.pop_back();
  }
  return absl::OkStatus();
}

absl::Status Evaluator::Needs(Instance& in, int32_t node, std::vector<int32_t>& needs) {
  if (in.index().IsArgument(node)) {
    return InvalidInput(
        fmt::format("an argument of function '{}' has no value", in.index().function()->name));
  }
  const std::string_view op = in.index().node(node).op;
  if (IsExit(op)) {
    // The loop is run as a whole, on what enters it.
    const LoopFrame* frame = FramesOf(in.index()).Of(node);
    if (frame != nullptr) {
      for (const int32_t enter : frame->enters) {
        for (const Edge& edge : in.index().inputs(enter)) {
          if (edge.node >= 0) needs.push_back(edge.node);
        }
      }
      return absl::OkStatus();
    }
  }
  if (IsMerge(op)) return MergeNeeds(in, node, needs);
  if (op == "StackPopV2" || op == "StackPop") {
    for (const int32_t push : FramesOf(in.index()).PushesFor(node)) {
      if (in.done(push)) return absl::OkStatus();
    }
  }
  const std::span<const Edge> inputs = in.index().inputs(node);
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].node < 0) {
      return InvalidInput(fmt::format("{} reads '{}', which is not in the graph", Place(in, node),
                                      in.index().InputText(node, k)));
    }
    needs.push_back(inputs[k].node);
  }
  return absl::OkStatus();
}

std::vector<Value> Evaluator::Inputs(const Instance& in, int32_t node) const {
  const std::span<const Edge> inputs = in.index().inputs(node);
  std::vector<Value> values;
  values.reserve(inputs.size());
  for (const Edge& edge : inputs) values.push_back(in.Get(edge));
  return values;
}

Attrs Evaluator::ResolvedAttrs(const Instance& in, const NodeDef& node) {
  if (in.call().empty()) return node.attrs;
  const bool any = std::any_of(node.attrs.begin(), node.attrs.end(),
                               [](const Attr& attr) { return AttrPlaceholder(attr).has_value(); });
  if (!any) return node.attrs;
  std::vector<Attr>& resolved = resolved_attrs_.emplace_back(node.attrs.begin(), node.attrs.end());
  for (Attr& attr : resolved) {
    const auto name = AttrPlaceholder(attr);
    const Attr* value = name ? FindAttr(in.call(), *name) : nullptr;
    if (value != nullptr) attr.value = value->value;
  }
  return resolved;
}

absl::Status Evaluator::Evaluate(Instance& in, int32_t node, const LoopScope& loop) {
  const NodeDef& def = in.index().node(node);
  const OpEntry entry = Entry(def.op);
  if (entry.handling == Handling::kPlain || entry.handling == Handling::kUnknown) {
    const OpId first(state_.builder.size());
    TW_RETURN_IF_ERROR(Plain(in, node, entry.function, loop));
    if (HasFacts(def)) RecordFacts(state_, def, Inputs(in, node), first);
    return absl::OkStatus();
  }
  state_.At(def.name, loop);
  std::vector<Value> inputs = Inputs(in, node);
  switch (entry.handling) {
    case Handling::kConst:
      in.Set(node, Const(def, ResolvedAttrs(in, def)));
      return absl::OkStatus();
    case Handling::kPlaceholder:
      in.Set(node, Placeholder(in, node));
      return absl::OkStatus();
    case Handling::kVariable:
      in.Set(node, VariableNode(def, ResolvedAttrs(in, def)));
      return absl::OkStatus();
    case Handling::kFeed:
      in.Set(node, Feed(def, ResolvedAttrs(in, def)));
      return absl::OkStatus();
    case Handling::kHost:
      in.Set(node, {Value::Host(), Value::Host(), Value::Host()});
      return absl::OkStatus();
    case Handling::kForward: {
      // A push to a stack hands on its second operand.
      const size_t which = def.op.starts_with("StackPush") ? 1 : 0;
      in.Set(node, which < inputs.size() ? inputs[which] : Value{});
      return absl::OkStatus();
    }
    case Handling::kSwitch:
      if (inputs.empty()) inputs.emplace_back();
      in.Set(node, {inputs[0], inputs[0]});
      return absl::OkStatus();
    case Handling::kMerge: {
      const auto chosen = in.merge_choice.find(node);
      const int32_t choice = chosen == in.merge_choice.end() ? 0 : chosen->second;
      const size_t place = choice;
      in.Set(node, {place < inputs.size() ? inputs[place] : Value{},
                    Value::Of(KnownScalar(choice, DType::kS32))});
      return absl::OkStatus();
    }
    case Handling::kPop: {
      Value popped;
      for (const int32_t push : FramesOf(in.index()).PushesFor(node)) {
        if (in.done(push)) popped = in.Get({push, 0});
      }
      in.Set(node, Carry(popped));
      return absl::OkStatus();
    }
    case Handling::kExit:
      return RunFrame(in, node, loop);
    case Handling::kCall:
      return Call(in, node, loop);
    case Handling::kIf:
    case Handling::kCase:
      return Branch(in, node, entry.handling, loop);
    case Handling::kWhile:
      return While(in, node, loop);
    case Handling::kReplicate:
      return Replicate(in, node, loop);
    case Handling::kSymbolicGradient: {
      const auto function = AttrFunction(def.attrs, "f");
      const auto gradient =
          function ? state_.graph.gradients.find(function->name) : state_.graph.gradients.end();
      if (gradient == state_.graph.gradients.end() ||
          state_.graph.Function(gradient->second) == nullptr) {
        return Plain(in, node, nullptr, loop);
      }
      return Call(in, node, loop);
    }
    default:
      in.Set(node, std::span<const Value>());
      return absl::OkStatus();
  }
}

}  // namespace tilewise::tf
