// Conditions that ask whether the script trains, by the names people give them.

#include <algorithm>
#include <string>

#include "frontend/python/branches.h"

namespace tilewise::python {
namespace {

constexpr std::string_view kTraining[] = {"train", "training", "is_training", "is_train",
                                          "training_mode"};
constexpr std::string_view kOther[] = {"eval",  "evaluate",   "evaluation", "test",  "val",
                                       "valid", "validation", "predict",    "infer", "inference"};

// The name or text that a node ends in, in lower case: "train" of
// ModeKeys.TRAIN and of "train".
std::string LastName(Node node) {
  std::string_view text = node.text();
  if (node.is("attribute")) text = node.field("attribute").text();
  if (node.is("string")) {
    const size_t first = text.find_first_of("'\"");
    text = text.substr(std::min(first, text.size()));
    while (!text.empty() && (text[0] == '\'' || text[0] == '"')) {
      text.remove_prefix(1);
    }
    text = text.substr(0, text.find_first_of("'\""));
  } else if (node.is("dotted_name")) {
    text = text.substr(text.rfind('.') + 1);
  } else if (!node.is("identifier") && !node.is("attribute")) {
    return "";
  }
  std::string result;
  for (const char c : text) result += static_cast<char>(std::tolower(c));
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

std::optional<bool> MeansTraining(Node condition) {
  if (!condition) return std::nullopt;
  const std::vector<Node> parts = condition.children();
  const bool wraps = condition.is("parenthesized_expression") || condition.is("case_pattern");
  if (wraps && parts.size() == 1) return MeansTraining(parts[0]);
  // The constant of a case.
  if (condition.is("string") || condition.is("dotted_name")) {
    return Sense(LastName(condition));
  }
  if (condition.is("not_operator")) {
    return Negated(MeansTraining(condition.field("argument")));
  }
  if (condition.is("comparison_operator") && parts.size() == 2) {
    const std::vector<std::string_view> operators = condition.operators();
    if (operators.size() != 1) return std::nullopt;
    // The constant names the way: mode == "train".
    const bool constant = parts[1].is("string") || parts[1].is("attribute");
    const std::optional<bool> sense = constant ? Sense(LastName(parts[1])) : std::nullopt;
    if (operators[0] == "==" || operators[0] == "is") return sense;
    return operators[0] == "!=" ? Negated(sense) : std::nullopt;
  }
  // `if FLAGS.do_eval` and the like are no either-or; `training` is.
  return Sense(LastName(condition)).value_or(false) ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace tilewise::python
