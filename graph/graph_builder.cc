// Appends checked ops to a graph: context, unique names, sticking errors.

#include "graph/graph_builder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "graph/shape_inference.h"

namespace tilewise {

namespace {

// A step of so many matmuls takes 430 MB to lint and 1 GB to tune.
constexpr size_t kMostGraphOps = 200'000;

}  // namespace

GraphBuilder::GraphBuilder(std::string name) {
  graph_.name_ = std::move(name);
  stand_in_.shape.dims.assign(8, Dim{});
}

void GraphBuilder::Fail(const std::string& message) {
  if (!status_.ok()) return;
  std::string place = FormatLocation(location_);
  if (place.empty()) place = scope_;
  failure_ = InvalidInput(message);
  status_ = place.empty() ? failure_ : Annotate(failure_, place);
}

absl::Status GraphBuilder::TakeStatus() {
  // A full graph stays full, however far a reader goes back.
  if (absl::IsResourceExhausted(failure_)) return failure_;
  status_ = absl::OkStatus();
  return std::exchange(failure_, absl::OkStatus());
}

void GraphBuilder::RollBack(const Mark& mark) {
  while (size() > mark.ops) {
    ForgetName(ops_.back());
    ops_.pop_back();
  }
  graph_.outputs_.resize(std::min(mark.outputs, graph_.outputs_.size()));
  if (mark.ok) (void)TakeStatus();
}

// kNoOp stands for an error that was already recorded; when there is none, the
// caller passed an absent value on.
bool GraphBuilder::KnowsAll(const std::vector<OpId>& ids) {
  for (const OpId id : ids) {
    TW_CHECK(id >= kNoOp && id < size());
    if (id != kNoOp) continue;
    Fail("found an operand that was never made");
    return false;
  }
  return true;
}

// Most names are new and take one look-up. The ops in the table stay where they
// are.
void GraphBuilder::MakeNameUnique(Op& op) {
  if (names_.insert(&op).second) return;
  int& suffix = next_suffix_.try_emplace(op.name, 1).first->second;
  op.name += '_';
  const size_t stem = op.name.size();
  do {
    op.name.resize(stem);
    op.name += std::to_string(suffix++);
  } while (!names_.insert(&op).second);
}

// The last op: a suffix that it was given is the next to be given.
void GraphBuilder::ForgetName(const Op& op) {
  names_.erase(&op);
  const size_t stem = op.name.rfind('_');
  if (stem == std::string::npos) return;
  const auto next = next_suffix_.find(op.name.substr(0, stem));
  if (next == next_suffix_.end()) return;
  if (op.name.substr(stem + 1) == std::to_string(next->second - 1)) --next->second;
}

absl::Status GraphBuilder::InferInto(Op& op) const {
  // Nearly all ops have few operands: no allocation for those.
  std::array<const Shape*, 4> few = {};
  std::vector<const Shape*> many;
  const size_t count = op.operands.size();
  if (count > few.size()) many.resize(count);
  const std::span<const Shape*> shapes = count > few.size()
                                             ? std::span<const Shape*>(many)
                                             : std::span<const Shape*>(few).first(count);
  for (size_t i = 0; i < count; ++i) shapes[i] = &shape(op.operands[i]);
  absl::StatusOr<Shape> inferred = InferShape(op, shapes, least_size_);
  if (!inferred.ok()) return Annotate(inferred.status(), OpName(op.kind));
  op.shape = *std::move(inferred);
  return absl::OkStatus();
}

OpId GraphBuilder::Append(Op op, std::string full_name) {
  op.id = OpId(size());
  op.name = std::move(full_name);
  ops_.push_back(std::move(op));
  MakeNameUnique(ops_.back());
  return OpId(size() - 1);
}

// The op is made where it stays: moving one costs as much as the rest.
OpId GraphBuilder::Add(Op op, std::string_view name) {
  if (!ok() || !KnowsAll(op.operands)) return kNoOp;
  ops_.push_back(std::move(op));
  return Finish(name);
}

OpId GraphBuilder::AddMade(OpKind kind, std::vector<OpId> operands, Attributes attrs, Shape shape) {
  if (!ok() || !KnowsAll(operands)) return kNoOp;
  Op& op = ops_.emplace_back();
  op.kind = kind;
  op.operands = std::move(operands);
  op.attrs = std::move(attrs);
  op.shape = std::move(shape);
  return Finish({});
}

OpId GraphBuilder::Finish(std::string_view name) {
  if (ops_.size() > kMostGraphOps) {
    ops_.pop_back();
    Fail(fmt::format("found more than {} ops, expected a model of at most that",
                     FormatCount(static_cast<int64_t>(kMostGraphOps))));
    failure_ = absl::ResourceExhaustedError(Message(failure_));
    return kNoOp;
  }
  Op& op = ops_.back();
  if (const absl::Status status = InferInto(op); !status.ok()) {
    ops_.pop_back();
    Fail(Message(status));
    return kNoOp;
  }
  op.id = OpId(size() - 1);
  op.location = location_;
  op.phase = phase_;
  op.loop = loop_;
  op.origin = origin_ == kNoOp ? op.id : origin_;
  std::string_view own = name.empty() ? std::string_view(name_) : name;
  if (own.empty()) own = OpName(op.kind);
  op.name.reserve(scope_.size() + 1 + own.size());
  if (!scope_.empty()) op.name.append(scope_).append(1, '/');
  op.name.append(own);
  MakeNameUnique(op);
  return op.id;
}

OpId GraphBuilder::Clone(const Op& op, std::vector<OpId> operands, bool reinfer) {
  if (!ok() || !KnowsAll(operands)) return kNoOp;
  // Member by member, as passes clone every op: no operands and no name are
  // copied only to be replaced.
  Op copy = {kNoOp,    op.kind, op.shape, std::move(operands), op.attrs, {}, op.location,
             op.phase, op.loop, op.origin};
  if (reinfer) {
    if (const absl::Status status = InferInto(copy); !status.ok()) {
      const std::string place = FormatLocation(op.location);
      failure_ = Annotate(status, op.name);
      status_ = place.empty() ? failure_ : Annotate(failure_, place);
      return kNoOp;
    }
  }
  if (op.name.empty()) {
    return Append(std::move(copy), std::string(OpName(op.kind)));
  }
  return Append(std::move(copy), op.name);
}

OpId GraphBuilder::Clone(Op&& op, std::vector<OpId> operands) {
  if (!ok() || !KnowsAll(operands)) return kNoOp;
  op.operands = std::move(operands);
  std::string name = std::move(op.name);
  if (name.empty()) name = OpName(op.kind);
  return Append(std::move(op), std::move(name));
}

void GraphBuilder::AddOutput(OpId value, Output::Role role, OpId variable) {
  if (!ok() || !KnowsAll({value})) return;
  if (role == Output::Role::kState) {
    if (!KnowsAll({variable})) return;
    const Op& target = op(variable);
    if (target.kind != OpKind::kVariable) {
      return Fail(
          fmt::format("output {} updates {}, expected a variable", op(value).name, target.name));
    }
    if (target.shape != shape(value)) {
      return Fail(fmt::format("output {} updates {} with {}, expected {}", op(value).name,
                              target.name, FormatShape(shape(value)), FormatShape(target.shape)));
    }
  }
  graph_.outputs_.push_back({value, role, variable});
}

absl::StatusOr<Graph> GraphBuilder::Build() {
  if (!ok()) return status_;
  graph_.ops_ = std::move(ops_);
  graph_.IndexUsers();
  return std::move(graph_);
}

absl::StatusOr<Graph> GraphBuilder::Assemble(std::string name, OpList ops,
                                             std::vector<Output> outputs) {
  absl::flat_hash_set<std::string_view, std::hash<std::string_view>> names;
  names.reserve(ops.size());
  for (const Op& op : ops) {
    if (!names.insert(op.name).second) {
      return InvalidInput(fmt::format("found two ops named {}", op.name));
    }
    for (const OpId operand : op.operands) {
      if (operand >= 0 && operand < op.id) continue;
      return InvalidInput(
          fmt::format("op {} has operand {}, expected 0 to {}", op.name, operand, op.id - 1));
    }
  }
  Graph graph;
  graph.name_ = std::move(name);
  graph.ops_ = std::move(ops);
  graph.outputs_ = std::move(outputs);
  graph.IndexUsers();
  return graph;
}

}  // namespace tilewise
