// Conditions that ask whether the program trains, by the names people give them.

#include "frontend/program/decisions.h"

#include <algorithm>
#include <string>

namespace tilewise::program {
namespace {

using py::NodeKind;
using py::Operator;

constexpr std::string_view kTraining[] = {"train", "training", "is_training", "is_train",
                                          "training_mode"};
constexpr std::string_view kOther[] = {"eval",  "evaluate",   "evaluation", "test",  "val",
                                       "valid", "validation", "predict",    "infer", "inference"};
constexpr std::string_view kDatasetMethods[] = {
    "map",     "batch",    "padded_batch", "shuffle",     "repeat",      "cache",
    "filter",  "take",     "skip",         "concatenate", "apply",       "from_generator",
    "unbatch", "prefetch", "interleave",   "flat_map",    "with_options"};

// The name or text that a node ends in, in lower case: "train" of
// ModeKeys.TRAIN and of "train".
std::string LastName(const py::Node* node) {
  std::string_view text;
  if (node->kind == NodeKind::kAttribute || node->kind == NodeKind::kName) {
    text = *node->name;
  } else if (node->kind == NodeKind::kConstant) {
    const std::string* constant = py::TextOf(node->constant);
    if (constant != nullptr) text = *constant;
  }
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::optional<bool> Sense(const std::string& name) {
  if (std::ranges::count(kTraining, name) > 0) return true;
  if (std::ranges::count(kOther, name) > 0) return false;
  return std::nullopt;
}

std::optional<bool> Negated(std::optional<bool> truth) {
  return truth.has_value() ? std::optional<bool>(!*truth) : std::nullopt;
}

}  // namespace

std::optional<bool> MeansTraining(const py::Node* condition) {
  if (condition == nullptr) return std::nullopt;
  if (condition->kind == NodeKind::kValuePattern) return Sense(LastName(condition->a));
  if (condition->kind == NodeKind::kNot) return Negated(MeansTraining(condition->a));
  if (condition->kind == NodeKind::kCompare && condition->ops.size() == 1) {
    // The constant names the way: mode == "train".
    const py::Node* constant = condition->list[1];
    const bool names =
        constant->kind == NodeKind::kConstant || constant->kind == NodeKind::kAttribute;
    const std::optional<bool> sense = names ? Sense(LastName(constant)) : std::nullopt;
    const Operator op = condition->ops[0];
    if (op == Operator::kEqual || op == Operator::kIs) return sense;
    return op == Operator::kNotEqual ? Negated(sense) : std::nullopt;
  }
  // `if FLAGS.do_eval` and the like are no either-or; `training` is.
  return Sense(LastName(condition)).value_or(false) ? std::optional<bool>(true) : std::nullopt;
}

bool IsDatasetMethod(std::string_view name) {
  return std::ranges::count(kDatasetMethods, name) > 0;
}

namespace {

// Whether a block calls a method whose name `is` one that is looked for.
template <typename Is>
bool CallsMethod(const py::Node* block, const Is& is) {
  if (block == nullptr) return false;
  if (block->kind == NodeKind::kCall && block->a->kind == NodeKind::kAttribute &&
      is(*block->a->name)) {
    return true;
  }
  for (const py::Node* part : {block->a, block->b, block->c, block->d}) {
    if (CallsMethod(part, is)) return true;
  }
  return std::ranges::any_of(block->list,
                             [&is](const py::Node* part) { return CallsMethod(part, is); });
}

}  // namespace

bool BuildsDatasets(const py::Node* block) {
  return CallsMethod(block, [](const std::string& name) { return IsDatasetMethod(name); });
}

bool HasWholeStep(const py::Node* block) {
  return CallsMethod(block, [](const std::string& name) { return name == "backward"; }) &&
         CallsMethod(block, [](const std::string& name) { return name == "step"; });
}

const py::Node* RoundsBetween(const py::Node* condition) {
  if (condition->kind == NodeKind::kCompare && condition->ops.size() == 1 &&
      condition->ops[0] == Operator::kEqual) {
    condition = condition->list[0];
  } else if (condition->kind == NodeKind::kNot) {
    condition = condition->a;
  } else {
    return nullptr;
  }
  if (condition->kind == NodeKind::kBinary && condition->op == Operator::kModulo) {
    return condition->b;
  }
  const bool divides = condition->kind == NodeKind::kCall &&
                       condition->a->kind == NodeKind::kAttribute &&
                       *condition->a->name == "rest" && condition->list.size() == 2;
  return divides ? condition->list[1] : nullptr;
}

}  // namespace tilewise::program
