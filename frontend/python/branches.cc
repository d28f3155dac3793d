// if and match. A condition that cannot be folded is decided once: the way that
// trains is taken, else the first one that builds something; what was decided
// holds for the same values from then on, so that the stages of one chain come
// from one way through the script. Plain values set on the way become unknown.

#include "frontend/python/branches.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr int64_t kSearchedPerUnit = 16;  // bytes of the script

void CollectTargets(Node target, std::set<std::string>& names) {
  if (target.is("identifier")) {
    names.emplace(target.text());
    return;
  }
  if (target.is("attribute") || target.is("subscript")) return;
  for (const Node& child : target.children()) CollectTargets(child, names);
}

// Names that assignments in `node` set; nested functions are left out.
void CollectAssigned(Node node, std::set<std::string>& names) {
  if (node.is("function_definition") || node.is("lambda")) return;
  if (node.is("assignment") || node.is("augmented_assignment") || node.is("for_statement")) {
    CollectTargets(node.field("left"), names);
  }
  for (const Node& child : node.children()) CollectAssigned(child, names);
}

bool IsScalar(const Value& value) {
  if (const std::vector<Value>* items = Items(value)) {
    for (const Value& item : *items) {
      if (!IsScalar(item)) return false;
    }
    return true;
  }
  return value.none() || AsNumber(value).has_value() || value.as<std::string>() != nullptr ||
         value.as<Range>() != nullptr || value.ref<Array>() != nullptr;
}

// A branch that only leaves: "if x is None: return".
bool IsGuard(Node block) {
  const std::vector<Node> statements = block.children();
  if (statements.empty()) return false;
  const Node last = statements.back();
  return last.is("return_statement") || last.is("raise_statement") ||
         last.is("continue_statement") || last.is("break_statement");
}

// Whether a block says something of datasets, which the report then lacks.
bool BuildsDatasets(Node block) {
  constexpr std::string_view kMethods[] = {"map",         "batch",  "padded_batch",   "shuffle",
                                           "repeat",      "cache",  "prefetch",       "interleave",
                                           "flat_map",    "filter", "take",           "skip",
                                           "concatenate", "apply",  "from_generator", "unbatch"};
  if (block.is("call")) {
    const Node callee = block.field("function");
    const std::string_view name = callee.field("attribute").text();
    if (callee.is("attribute") && std::ranges::count(kMethods, name) > 0) {
      return true;
    }
  }
  for (const Node& child : block.children()) {
    if (BuildsDatasets(child)) return true;
  }
  return false;
}

// The branches that may run: those known false left out, none after one known
// true.
std::vector<Branch> OpenBranches(Interpreter& in, Node node) {
  std::vector<Branch> result;
  const auto add = [&](Node condition, Node block) {
    Branch branch{condition, block, {}};
    if (condition) {
      branch.value = in.Eval(condition);
      const std::optional<bool> truth = in.Holds(branch.value);
      if (truth.has_value() && !*truth) return false;
      if (truth.has_value()) branch.condition = {};
    }
    result.push_back(std::move(branch));
    return !result.back().condition;
  };
  if (add(node.field("condition"), node.field("consequence"))) return result;
  for (const Node& child : node.children()) {
    if (child.is("elif_clause") && add(child.field("condition"), child.field("consequence"))) {
      return result;
    }
    if (child.is("else_clause")) add({}, child.field("body"));
  }
  return result;
}

}  // namespace

void Interpreter::ForgetScalars(Node body, std::string_view why) {
  std::set<std::string> names;
  CollectAssigned(body, names);
  for (const std::string& name : names) {
    const Value* value = frames.back().names->Find(name);
    if (value == nullptr || IsScalar(*value)) {
      frames.back().names->Set(name, MakeUnknown(fmt::format("`{}` {}", name, why), body));
    }
  }
}

std::optional<bool> Interpreter::Holds(const Value& value) const {
  if (value.unknown() != nullptr) return assumptions.Holds(*value.unknown());
  return Truth(value);
}

Flow Interpreter::ExecIf(Node node) {
  std::vector<Branch> branches = OpenBranches(*this, node);
  if (branches.empty()) return Flow::kNext;
  if (!branches[0].condition) return ExecBlock(branches[0].block);
  return ExecOpenBranches(node, std::move(branches));
}

// The branch that trains, when the conditions say so: the others are known not
// to run then. An `if not train` without else leaves nothing to run.
void Interpreter::PreferTraining(std::vector<Branch>& branches) {
  for (size_t i = 0; i < branches.size(); ++i) {
    const Branch branch = branches[i];
    const std::optional<bool> trains = MeansTraining(branch.condition);
    const Unknown* value = branch.value.unknown();
    if (!trains.has_value() || value == nullptr) continue;
    assumptions.Assume(*value, *trains);
    bool told = BuildsDatasets(branch.block);
    for (size_t j = i + 1; j < branches.size(); ++j) {
      told = told || BuildsDatasets(branches[j].block);
    }
    if (told) {
      Note("RD002", branch.condition.location(),
           fmt::format("cannot tell whether `{}` holds; what trains is read, so it "
                       "is taken {} hold, here and below",
                       branch.condition.excerpt(), *trains ? "to" : "not to"));
    }
    if (*trains) {
      branches[i].condition = {};
      branches.resize(i + 1);
    } else {
      branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }
}

Flow Interpreter::ExecOpenBranches(Node node, std::vector<Branch> branches) {
  // What it assigns and builds is searched for.
  Charge(static_cast<int64_t>(node.text().size()) / kSearchedPerUnit);
  PreferTraining(branches);
  if (branches.empty()) return Flow::kNext;
  // What is given from outside is seldom None: that branch comes last.
  std::stable_partition(branches.begin(), branches.end(), [](const Branch& b) {
    return !b.condition || !b.condition.text().ends_with(" is None");
  });
  const bool decided = branches.size() == 1 && !branches[0].condition;
  const size_t before = built();
  const Flow flow = decided ? ExecBlock(branches[0].block) : TryBranches(branches);
  if (flow == Flow::kStop) return flow;
  const std::string why = fmt::format("depends on the condition at line {}", node.location().line);
  ForgetScalars(node, why);
  if (flow == Flow::kReturn && frames.back().returned.has_value() &&
      IsScalar(*frames.back().returned)) {
    frames.back().returned = MakeUnknown(why, node);
  }
  if (built() != before && !decided) {
    const bool match = node.is("match_statement");
    const Node asked = node.field(match ? "subject" : "condition");
    Note("RD002", node.location(),
         fmt::format("cannot tell {} `{}` {}; the branch that builds the model "
                     "or dataset first is taken as the one that runs",
                     match ? "which case of" : "whether", asked.excerpt(),
                     match ? "runs" : "holds"));
  }
  return flow;
}

// Runs the branches one by one, each from the same state, until one builds
// something or returns. When none does, what each of them defines stays, the
// first one's where they differ.
Flow Interpreter::TryBranches(const std::vector<Branch>& branches) {
  Environment& names = *frames.back().names;
  const std::map<std::string, Value> start = names.names();
  // Each branch starts from a copy.
  Charge(static_cast<int64_t>(start.size() * (branches.size() + 1)));
  std::map<std::string, Value> merged = start;
  const size_t before = built();
  const auto assume = [this](const Branch& branch, bool truth) {
    const Unknown* value = branch.value.unknown();
    if (branch.condition && value != nullptr) {
      assumptions.Assume(*value, truth);
    }
  };
  for (size_t i = 0; i < branches.size(); ++i) {
    const bool only_way = i + 1 == branches.size() && i > 0;
    if (IsGuard(branches[i].block) && !only_way) continue;
    const size_t mark = assumptions.mark();
    for (size_t j = 0; j < branches.size(); ++j) assume(branches[j], j == i);
    frames.back().returned.reset();
    const Flow flow = ExecBlock(branches[i].block);
    if (flow == Flow::kStop || flow == Flow::kReturn) return flow;
    if (built() != before) return Flow::kNext;
    assumptions.Undo(mark);
    for (const auto& [name, value] : names.names()) {
      const auto old = start.find(name);
      const bool changed = old == start.end() || old->second.data != value.data;
      const auto held = merged.find(name);
      const bool open =
          held == merged.end() || (old != start.end() && held->second.data == old->second.data);
      if (changed && open) merged[name] = value;
    }
    names.Restore(start);
  }
  names.Restore(std::move(merged));
  return Flow::kNext;
}

}  // namespace tilewise::python
