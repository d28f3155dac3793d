// The walk over the bodies of functions.

#include <algorithm>
#include <utility>

#include "frontend/program/branches.h"
#include "frontend/program/call_names.h"
#include "frontend/program/function_tables.h"
#include "frontend/program/held_functions.h"
#include "frontend/program/map_function_reader.h"
#include "pipeline/chain.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using py::NodeKind;

constexpr size_t kMaxCalls = 2000;

// x["image"], which picks a part of a structure, and x[..., None], which keeps
// all of a tensor.
bool ByName(const py::Node* index) {
  if (index->kind == NodeKind::kTuple) {
    return std::all_of(index->list.begin(), index->list.end(), ByName);
  }
  if (index->kind == NodeKind::kConstant) {
    return py::TextOf(index->constant) != nullptr || index->constant.none() ||
           index->constant.tag == py::Value::Tag::kEllipsis;
  }
  const bool named = index->kind == NodeKind::kName || index->kind == NodeKind::kAttribute;
  return named && *index->name == "newaxis";
}

// Rounds of a loop over range(n) whose n is known.
std::optional<int64_t> RoundsOf(const py::Node* items, const KnownValues& known) {
  const bool is_range = items != nullptr && items->kind == NodeKind::kCall &&
                        items->a->kind == NodeKind::kName && *items->a->name == "range" &&
                        items->list.size() == 1;
  const py::Value* rounds = is_range ? known.Of(items->list.front()) : nullptr;
  return rounds == nullptr ? std::nullopt : py::AsInt(*rounds);
}

}  // namespace

void MapFunctions::Reader::Count(std::string_view name, bool aside) {
  if (out_.calls.size() < kMaxCalls) {
    out_.calls.emplace_back(name);
    out_.elements_after.push_back(aside || scope_.aside ? MapFunction::kAside : 0);
    ++out_.nodes;
  }
  out_.random = out_.random || IsRandom(name);
  out_.stateful = out_.stateful || IsStateful(name);
  out_.decodes = out_.decodes || Decodes(name);
}

void MapFunctions::Reader::CountStated(const py::Sequence& stated) {
  for (const py::Value& item : stated.items) {
    const std::string* name = py::TextOf(item);
    if (name == nullptr) continue;
    if (out_.name.empty()) {
      out_.name = *name;
    } else {
      Count(*name);
    }
  }
  out_.resolved = true;
  out_.nodes = static_cast<int64_t>(out_.calls.size());
}

void MapFunctions::Reader::ReadFunction(const py::Function& function, const py::Value* self,
                                        int nesting) {
  if (nesting > kMaxNesting) return;
  FunctionScope inner(SmallOf(function, self));
  inner.self = self;
  if (scope_.call != nullptr) {
    inner.small.BindParameters(function, self != nullptr, *scope_.call, scope_.small);
    if (around_ != nullptr) {
      inner.given = FunctionsGivenBy(*scope_.call, function, self != nullptr,
                                     {nullptr, around_, scope_.self, scope_.given});
    }
  }
  // What runs a function that it is given does other work at each call.
  const bool runs_given = inner.given != nullptr && !inner.given->empty();
  if (!visited_.insert(function.node).second && !runs_given) return;
  if (std::exchange(of_item_, false)) inner.small.BindFirst(function, self != nullptr);
  inner.known = scope_.known;
  inner.known.Enter(function, self, scope_.call, partial_);
  partial_ = nullptr;
  std::swap(scope_, inner);
  const py::Function* const outer = std::exchange(around_, &function);
  const py::Node* body = function.node->a;
  if (body != nullptr && !function.module->file.starts_with('<')) {
    all_.bodies_.emplace(function.module->file, function.node->cell, body->begin);
  }
  Walk(body, function, nesting);
  for (const py::Node* parameter : function.node->list) Walk(parameter->a, function, nesting);
  around_ = outer;
  std::swap(scope_, inner);
}

SmallValues MapFunctions::Reader::SmallOf(const py::Function& function,
                                          const py::Value* self) const {
  return {[this, &function](const py::Node* callee) { return ImportedName(callee, function); },
          [&function, self](const py::Node* node) {
            const bool local =
                node->kind == NodeKind::kName &&
                (node->where == py::Node::Where::kLocal || IsParameter(function, node->name));
            const py::Value* value = local ? nullptr : ValueAt(node, function, self);
            return value != nullptr && IsFewNumbers(*value);
          }};
}

void MapFunctions::Reader::Walk(const py::Node* node, const py::Function& function, int nesting) {
  if (node == nullptr || ++steps_ > kMaxSteps) return;
  switch (node->kind) {
    case NodeKind::kCall:
      if (ReadBranches(node, function, nesting)) return;
      WalkParts(node, function, nesting);
      return ReadCall(node, function, nesting);
    case NodeKind::kAugmented:
    case NodeKind::kBinary:
    case NodeKind::kUnary:
    case NodeKind::kCompare:
      CountOperator(node);
      break;
    case NodeKind::kFor:
      scope_.small.Bind(node->a, scope_.small.Holds(node->b));
      scope_.known.Forget(node->a);
      [[fallthrough]];
    case NodeKind::kListMade: {
      const size_t first_call = out_.calls.size();
      const int64_t nodes = out_.nodes;
      const bool was_ended = scope_.ended;
      WalkParts(node, function, nesting);
      scope_.ended = was_ended;
      return Repeat(node, first_call, nodes);
    }
    case NodeKind::kIf:
      return WalkIf(node, node->a, node->b, node->c, function, nesting);
    case NodeKind::kConditional:
      return WalkIf(node, node->b, node->a, node->c, function, nesting);
    case NodeKind::kReturn:
    case NodeKind::kRaise:
      Walk(node->a, function, nesting);
      scope_.ended = true;
      return;
    case NodeKind::kSubscript:
      if (!ByName(node->b)) out_.indexes = true;
      if (const py::Value* data = ValueAt(node->a, function, scope_.self)) {
        ReadItem(*data, nesting + 1);
      }
      break;
    case NodeKind::kGlobal:
    case NodeKind::kNonlocal:
      out_.stateful = true;
      break;
    default:
      break;
  }
  const bool was_ended = scope_.ended;
  if (!WalkParts(node, function, nesting)) return;
  if (node->kind != NodeKind::kBlock && node->kind != NodeKind::kWith) scope_.ended = was_ended;
  if (node->kind == NodeKind::kAugmented) scope_.known.Forget(node->a);
  if (node->kind != NodeKind::kAssign) return;
  for (const py::Node* target : node->list) {
    scope_.small.Bind(target, scope_.small.Holds(node->a));
    scope_.known.Forget(target);
  }
}

bool MapFunctions::Reader::WalkParts(const py::Node* node, const py::Function& function,
                                     int nesting) {
  for (const py::Node* part : {node->a, node->b, node->c, node->d}) {
    Walk(part, function, nesting);
  }
  for (const py::Node* part : node->list) {
    if (node->kind == NodeKind::kBlock && scope_.ended) return false;
    Walk(part, function, nesting);
  }
  return true;
}

void MapFunctions::Reader::Repeat(const py::Node* loop, size_t first_call, int64_t nodes) {
  constexpr int64_t kMostRounds = 16;
  constexpr int64_t kMostNodes = 100'000;  // of loops in loops
  const bool made = loop->kind == NodeKind::kListMade;
  const py::Node* clause = made ? nullptr : loop;
  for (const py::Node* part : loop->list) {
    if (!made || part->kind != NodeKind::kForClause) continue;
    if (clause != nullptr) return;
    clause = part;
  }
  if (clause == nullptr) return;
  const std::optional<int64_t> rounds = RoundsOf(clause->b, scope_.known);
  if (!rounds || *rounds > kMostRounds) return;
  if (!RepeatsItsWork(clause->a, made ? loop->a : loop->c)) return;
  const size_t end = out_.calls.size();
  const int64_t more = out_.nodes - nodes;
  for (int64_t i = 1; i < *rounds; ++i) {
    for (size_t k = first_call; k < end && out_.calls.size() < kMaxCalls; ++k) {
      out_.calls.push_back(out_.calls[k]);
      out_.elements_after.push_back(out_.elements_after[k]);
    }
    out_.nodes = std::min(out_.nodes + more, std::max(out_.nodes, kMostNodes));
  }
}

void MapFunctions::Reader::WalkIf(const py::Node* node, const py::Node* condition,
                                  const py::Node* yes, const py::Node* no,
                                  const py::Function& function, int nesting) {
  Walk(condition, function, nesting);
  const std::optional<bool> holds = scope_.known.Holds(condition);
  if (holds) return Walk(*holds ? yes : no, function, nesting);
  if (no == nullptr || nesting > kMaxNesting) {
    Walk(yes, function, nesting);
    scope_.ended = false;  // what follows may run
    return;
  }
  bool ended = true;
  std::vector<MapFunction> read;
  for (const py::Node* branch : {yes, no}) {
    read.push_back(Apart([&](Reader& reader) {
      reader.Walk(branch, function, nesting + 1);
      ended = ended && reader.scope_.ended;
    }));
  }
  Add(read);
  scope_.ended = ended && node->kind == NodeKind::kIf;
}

void MapFunctions::Reader::CountOperator(const py::Node* node) {
  const bool augmented = node->kind == NodeKind::kAugmented;
  SmallValues& values = scope_.small;
  const bool small =
      augmented ? values.Holds(node->a) && values.Holds(node->b) : values.Holds(node);
  if (augmented) values.Bind(node->a, small);
  if (!small) ++out_.nodes;
}

void MapFunctions::Reader::Add(const std::vector<MapFunction>& branches) {
  const bool decoded = std::ranges::any_of(out_.calls, DecodesImage);
  const MapFunction& typical = TypicalBranch(branches, decoded);
  for (size_t i = 0; i < typical.calls.size(); ++i) {
    Count(typical.calls[i], typical.elements_after[i] == MapFunction::kAside);
  }
  out_.nodes += typical.nodes - static_cast<int64_t>(typical.calls.size());
  for (const MapFunction& branch : branches) {
    out_.random = out_.random || branch.random;
    out_.stateful = out_.stateful || branch.stateful;
    out_.decodes = out_.decodes || branch.decodes;
    out_.indexes = out_.indexes || branch.indexes;
  }
}

}  // namespace tilewise::program
