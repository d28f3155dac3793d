// Pass assign_layouts: which dim of every value lies in the lanes and which in
// the sublanes. Ops that keep dims in place share one order. The groups that
// have an op which does not accept any order choose first, the largest before
// others, by padding, by what matrix ops accept and by the batch-64 rule. From
// each that has chosen its order spreads to the groups that accept any, through
// reshapes and transposes, which are free where both sides agree. Where
// an op does not accept the order of its operand, or cannot write that of its
// result, a copy is inserted. What is stored in parts may be in another order
// than what is gathered from them: then the part is copied. A function of
// arguments alone is one call: they come and its results go in the framework's
// layout, and those of a module in the one that its file states, with a copy
// where the ops chose another.

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "graph/graph_builder.h"
#include "sim/lowering/bitcast.h"
#include "sim/lowering/layout_assignment/given_orders.h"
#include "sim/lowering/layout_assignment/layout_costs.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/repeats/fold.h"

namespace tilewise {
namespace {

class OrderChooser {
 public:
  // `counts` by op: how many ops of the step it stands for.
  OrderChooser(const Graph& graph, const Chip& chip, const std::vector<double>& counts,
               const GivenOrders& given)
      : graph_(graph),
        chip_(chip),
        counts_(counts),
        given_(given),
        costs_{graph, chip, counts, MostCommonConvBatch(graph, counts) >= kBatchInLanesFrom},
        classes_(GroupByLayout(graph)),
        orders_(classes_.members.size()),
        is_chosen_(classes_.members.size(), false) {}

  void Run();
  const DimOrder& order(OpId id) const { return orders_[ClassOfOp(id)]; }

 private:
  int32_t ClassOfOp(OpId id) const { return classes_.of_op[id]; }
  // Classes that may be in any order are ranked: those next to a move from or to a class that is
  // chosen come first, the others last; of equals the largest comes first.
  struct Rank {
    bool is_free = false;
    bool is_apart = true;
    double bytes = 0;
  };
  Rank RankOf(const std::vector<OpId>& members) const;
  // The classes of what the members' moves come from or go to.
  std::vector<int32_t> Beside(const std::vector<OpId>& members) const;
  bool IsDemanding(const std::vector<OpId>& members) const;
  // Parts of variables that no op reads but to gather, update or convert them: the
  // runtime holds them in a compact order.
  bool IsHeldCompactly(const std::vector<OpId>& members) const;
  void KeepCompact(const Shape& shape, std::vector<DimOrder>& candidates) const;
  void Choose(int32_t its_class);
  // The order of `op` that makes this reshape or transpose free, seen from the
  // side that is not chosen yet.
  std::optional<DimOrder> Inherited(const Op& move, bool from_operand) const;
  void AddInherited(OpId id, std::vector<DimOrder>& candidates) const;
  double MoveCost(const Op& move, bool from_operand, const DimOrder& order) const;
  // Returns the cost of a copy from or to the order that the file states for the value.
  double StatedCost(const Op& op, const DimOrder& order, Bytes padded) const;
  // The cost is exact below `limit`; from there on it is some cost of at least `limit`.
  double Cost(const std::vector<OpId>& members, const DimOrder& order, double limit) const;

  double Count(OpId id) const { return counts_[id]; }

  const Graph& graph_;
  const Chip& chip_;
  const std::vector<double>& counts_;
  const GivenOrders& given_;
  LayoutCosts costs_;
  LayoutClasses classes_;
  std::vector<DimOrder> orders_;
  std::vector<bool> is_chosen_;
};

// Returns whether the op goes between a whole and this core's part of it, which is the cheaper to
// copy.
bool IsOfPart(const Op& op) {
  return op.kind == OpKind::kAllGather || op.kind == OpKind::kReduceScatter;
}

bool IsMove(const Op& op) {
  return op.kind == OpKind::kReshape || op.kind == OpKind::kTranspose || IsOfPart(op);
}

// Returns whether the op accepts every order, as most ops do.
bool AcceptsEveryOrder(const Op& op) {
  const OpClass its_class = ClassOf(op.kind);
  return its_class == OpClass::kElementwise || its_class == OpClass::kLeaf ||
         its_class == OpClass::kData || its_class == OpClass::kReduce;
}

bool OrderChooser::IsDemanding(const std::vector<OpId>& members) const {
  const std::vector<DimOrder>& orders = CandidateOrders(graph_.op(members[0]).shape.rank());
  const auto rejects = [&](const auto& accepts) {
    return !std::all_of(orders.begin(), orders.end(), accepts);
  };
  for (const OpId id : members) {
    const Op& op = graph_.op(id);
    if (!AcceptsEveryOrder(op) &&
        rejects([&](const DimOrder& order) { return AcceptsResult(graph_, op, order); })) {
      return true;
    }
    for (const OpId by : graph_.users(id)) {
      const Op& user = graph_.op(by);
      if (AcceptsEveryOrder(user)) continue;
      for (size_t i = 0; i < user.operands.size(); ++i) {
        if (user.operands[i] == id &&
            rejects([&](const DimOrder& order) { return AcceptsOperand(user, i, order); })) {
          return true;
        }
      }
    }
  }
  return false;
}

bool OrderChooser::IsHeldCompactly(const std::vector<OpId>& members) const {
  const bool has_variable = std::any_of(members.begin(), members.end(), [&](OpId id) {
    return graph_.op(id).kind == OpKind::kVariable;
  });
  return has_variable && !IsDemanding(members);
}

void OrderChooser::KeepCompact(const Shape& shape, std::vector<DimOrder>& candidates) const {
  const auto bytes = [&](const DimOrder& order) {
    return PaddedBytes(shape, MakeLayout(shape, order, chip_), chip_);
  };
  const Bytes least = bytes(FrameworkOrder(shape, chip_));
  const auto is_wider = [&](const DimOrder& order) { return bytes(order) > least; };
  std::erase_if(candidates, is_wider);
  if (candidates.empty()) candidates.push_back(FrameworkOrder(shape, chip_));
}

OrderChooser::Rank OrderChooser::RankOf(const std::vector<OpId>& members) const {
  Rank rank;
  rank.is_free = !IsDemanding(members);
  double least_count = std::numeric_limits<double>::infinity();
  for (const OpId id : members) {
    least_count = std::min(least_count, Count(id));
    rank.bytes += Count(id) * static_cast<double>(graph_.op(id).shape.unpadded_bytes().value);
  }
  // A class whose members all stand for several ops stands for as many classes.
  rank.bytes /= least_count;
  return rank;
}

std::vector<int32_t> OrderChooser::Beside(const std::vector<OpId>& members) const {
  std::vector<int32_t> classes;
  for (const OpId id : members) {
    if (IsMove(graph_.op(id))) classes.push_back(ClassOfOp(graph_.op(id).operands[0]));
    for (const OpId user : graph_.users(id)) {
      if (IsMove(graph_.op(user))) classes.push_back(ClassOfOp(user));
    }
  }
  return classes;
}

void OrderChooser::Run() {
  std::vector<Rank> ranks;
  for (const std::vector<OpId>& members : classes_.members) ranks.push_back(RankOf(members));
  const auto before = [&](int32_t a, int32_t b) {
    const auto key = [&](int32_t i) {
      const Rank& rank = ranks[i];
      const int group = !rank.is_free ? 1 : rank.is_apart ? 2 : 0;
      return std::tuple(group, -rank.bytes, i);
    };
    return key(a) < key(b);
  };
  std::set<int32_t, decltype(before)> waiting(before);
  for (size_t i = 0; i < ranks.size(); ++i) waiting.insert(static_cast<int32_t>(i));
  while (!waiting.empty()) {
    const int32_t next = *waiting.begin();
    waiting.erase(waiting.begin());
    Choose(next);
    for (const int32_t beside : Beside(classes_.members[next])) {
      if (!ranks[beside].is_apart || waiting.erase(beside) == 0) continue;
      ranks[beside].is_apart = false;
      waiting.insert(beside);
    }
  }
}

std::optional<DimOrder> OrderChooser::Inherited(const Op& move, bool from_operand) const {
  const OpId other = from_operand ? move.operands[0] : move.id;
  if (!is_chosen_[ClassOfOp(other)]) return std::nullopt;
  const DimOrder& theirs = order(other);
  if (IsOfPart(move)) return theirs;
  if (move.kind == OpKind::kTranspose) {
    return from_operand ? TransposedOrder(move, theirs) : UntransposedOrder(move, theirs);
  }
  const Shape& operand = graph_.operand(move, 0).shape;
  return from_operand ? ReshapedOrder(operand, theirs, move.shape, chip_)
                      : ReshapedOrder(move.shape, theirs, operand, chip_);
}

void OrderChooser::AddInherited(OpId id, std::vector<DimOrder>& candidates) const {
  const auto add = [&](const std::optional<DimOrder>& order) {
    if (order && std::find(candidates.begin(), candidates.end(), *order) == candidates.end()) {
      candidates.push_back(*order);
    }
  };
  if (const DimOrder* stated = given_.Stated(id)) add(*stated);
  if (IsMove(graph_.op(id))) add(Inherited(graph_.op(id), true));
  for (const OpId user : graph_.users(id)) {
    if (IsMove(graph_.op(user))) add(Inherited(graph_.op(user), false));
  }
}

double OrderChooser::MoveCost(const Op& move, bool from_operand, const DimOrder& order) const {
  const OpId other = from_operand ? move.operands[0] : move.id;
  if (!is_chosen_[ClassOfOp(other)]) return 0;
  if (Inherited(move, from_operand) == order) return 0;
  const Shape& operand = graph_.operand(move, 0).shape;
  const auto bytes = [&](const Shape& its, const DimOrder& its_order) {
    const Layout layout = MakeLayout(its, its_order, chip_);
    return static_cast<double>(PaddedBytes(its, layout, chip_).value);
  };
  if (IsOfPart(move)) {
    const Shape& part = move.kind == OpKind::kAllGather ? operand : move.shape;
    return costs_.OfCopy(bytes(part, order) + bytes(part, this->order(other)));
  }
  const Shape& shape = from_operand ? move.shape : operand;
  return costs_.OfCopy(bytes(shape, order) + bytes(graph_.op(other).shape, this->order(other)));
}

double OrderChooser::StatedCost(const Op& op, const DimOrder& order, Bytes padded) const {
  const DimOrder* stated = given_.Stated(op.id);
  if (stated == nullptr || *stated == order) return 0;
  const Bytes bytes = PaddedBytes(op.shape, MakeLayout(op.shape, *stated, chip_), chip_);
  return costs_.OfCopy(static_cast<double>((padded + bytes).value));
}

double OrderChooser::Cost(const std::vector<OpId>& members, const DimOrder& order,
                          double limit) const {
  double cost = 0;
  const Shape* last = nullptr;  // most members have one shape
  Bytes padded;
  for (const OpId id : members) {
    if (cost >= limit) break;
    const Op& op = graph_.op(id);
    if (last == nullptr || *last != op.shape) {
      padded = PaddedBytes(op.shape, MakeLayout(op.shape, order, chip_), chip_);
      last = &op.shape;
    }
    cost += costs_.Of(op, order, padded);
    cost += StatedCost(op, order, padded);
    if (IsMove(op)) cost += Count(id) * MoveCost(op, true, order);
    for (const OpId user : graph_.users(id)) {
      if (IsMove(graph_.op(user))) {
        cost += Count(user) * MoveCost(graph_.op(user), false, order);
      }
    }
  }
  return cost;
}

void OrderChooser::Choose(int32_t its_class) {
  const std::vector<OpId>& members = classes_.members[its_class];
  const int64_t rank = graph_.op(members[0]).shape.rank();
  std::vector<DimOrder> candidates = CandidateOrders(rank);
  if (rank > 1) {
    for (const OpId id : members) AddInherited(id, candidates);
  }
  if (rank > 2 && IsHeldCompactly(members)) KeepCompact(graph_.op(members[0]).shape, candidates);
  double best = std::numeric_limits<double>::infinity();
  for (const DimOrder& candidate : candidates) {
    const double cost = candidates.size() == 1 ? 0 : Cost(members, candidate, best);
    if (cost >= best) continue;
    best = cost;
    orders_[its_class] = candidate;
  }
  is_chosen_[its_class] = true;
}

// Rebuilds the graph with copies where orders are not accepted.
class CopyInserter {
 public:
  CopyInserter(const Graph& graph, const OrderChooser& chooser, const GivenOrders& given,
               const Chip& chip)
      : graph_(graph), chooser_(chooser), given_(given), chip_(chip), builder_(graph.name()) {
    builder_.ReserveNames(graph.size() + graph.size() / 4);
  }

  // `program` still holds the graph, which stays when nothing is copied.
  absl::Status RunInto(Program& program) {
    if (!NeedsCopies()) {
      for (const Op& op : graph_.ops()) {
        layouts_.push_back(MakeLayout(op.shape, chooser_.order(op.id), chip_));
      }
      program.layouts = std::move(layouts_);
      return absl::OkStatus();
    }
    for (const Op& op : graph_.ops()) AddOp(op);
    for (const Output& output : graph_.outputs()) {
      const OpId variable = output.variable == kNoOp ? kNoOp : new_id_[output.variable];
      builder_.AddOutput(ResultFor(graph_.op(output.value)), output.role, variable);
    }
    TW_ASSIGN_OR_RETURN(program.graph, builder_.Build());
    program.layouts = std::move(layouts_);
    return absl::OkStatus();
  }

 private:
  bool NeedsCopies() const {
    if (given_.any()) return true;
    for (const Op& op : graph_.ops()) {
      const DimOrder& order = chooser_.order(op.id);
      if (OwnOrder(op) != order) return true;
      for (size_t i = 0; i < op.operands.size(); ++i) {
        if (OperandOrder(op, i) != chooser_.order(op.operands[i])) return true;
      }
    }
    return false;
  }

  // The order in which users of a value find it.
  const DimOrder& HeldOrder(const Op& op) const {
    const std::optional<DimOrder>& given = given_.OfArgument(op);
    return given ? *given : chooser_.order(op.id);
  }

  // The chosen order of the result, or the one that the op writes instead.
  DimOrder OwnOrder(const Op& op) const {
    if (op.kind == OpKind::kReduceScatter) {
      return chooser_.order(op.operands[0]);
    }
    const DimOrder& order = HeldOrder(op);
    if (AcceptsResult(graph_, op, order)) return order;
    return BestAccepted(
        op.shape, [&](const DimOrder& candidate) { return AcceptsResult(graph_, op, candidate); });
  }

  // The chosen order of the operand, or the one that the op reads instead.
  DimOrder OperandOrder(const Op& op, size_t i) const {
    if (op.kind == OpKind::kAllGather) return chooser_.order(op.id);
    const OpId operand = op.operands[i];
    const DimOrder& order = chooser_.order(operand);
    if (AcceptsOperand(op, i, order)) return order;
    return BestAccepted(graph_.op(operand).shape, [&](const DimOrder& candidate) {
      return AcceptsOperand(op, i, candidate);
    });
  }

  // The accepted order with the least padding.
  template <typename Accepts>
  DimOrder BestAccepted(const Shape& shape, Accepts accepts) const {
    std::vector<DimOrder> candidates = CandidateOrders(shape.rank());
    if (shape.rank() == 3) candidates.push_back(TiledOrder(3, 2, 0));
    std::erase_if(candidates, [&](const DimOrder& order) { return !accepts(order); });
    return LeastPadded(shape, candidates, chip_);
  }

  OpId Append(const Op& op, std::vector<OpId> operands, const DimOrder& order) {
    const OpId id = builder_.Clone(op, std::move(operands));
    layouts_.push_back(MakeLayout(op.shape, order, chip_));
    return id;
  }

  OpId Copy(OpId value, const DimOrder& order, Phase phase) {
    const auto [at, is_new] = copies_.try_emplace({value, order}, kNoOp);
    if (!is_new) return at->second;
    const Op& source = builder_.op(value);
    Op copy;
    copy.kind = OpKind::kCopy;
    copy.shape = source.shape;
    copy.name = source.name + "/copy";
    copy.location = source.location;
    copy.origin = source.origin;
    copy.phase = phase;
    return at->second = Append(copy, {value}, order);
  }

  void AddOp(const Op& op) {
    std::vector<OpId> operands;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      operands.push_back(OperandFor(op, i));
    }
    const DimOrder order = HeldOrder(op);
    const DimOrder own = OwnOrder(op);
    const OpId id = Append(op, std::move(operands), own);
    new_id_.push_back(own == order ? id : Copy(id, order, op.phase));
  }

  OpId OperandFor(const Op& op, size_t i) {
    const OpId old_id = op.operands[i];
    const OpId id = new_id_[old_id];
    const DimOrder wanted = OperandOrder(op, i);
    if (wanted == HeldOrder(graph_.op(old_id))) return id;
    return Copy(id, wanted, op.phase);
  }

  OpId ResultFor(const Op& value) {
    const OpId id = new_id_[value.id];
    const std::optional<DimOrder> wanted = given_.OfResult(value.shape);
    if (!wanted || *wanted == HeldOrder(value)) return id;
    return Copy(id, *wanted, value.phase);
  }

  const Graph& graph_;
  const OrderChooser& chooser_;
  const GivenOrders& given_;
  const Chip& chip_;
  GraphBuilder builder_;
  std::vector<Layout> layouts_;  // by new id
  std::vector<OpId> new_id_;     // by old id
  std::map<std::pair<OpId, DimOrder>, OpId> copies_;
};

}  // namespace

absl::Status RunAssignLayouts(Program& program, const LoweringContext& context) {
  const std::vector<double> counts = OpCounts(program.graph, context.folded);
  const Chip& chip = context.target.chip;
  const GivenOrders given(program.graph, chip);
  OrderChooser chooser(program.graph, chip, counts, given);
  chooser.Run();
  return CopyInserter(program.graph, chooser, given, chip).RunInto(program);
}

}  // namespace tilewise
