// Names and loops are all that tells what data are for where no step takes them.

#include "frontend/program/data_roles.h"

#include <algorithm>
#include <cctype>

#include "workload/blocks.h"

namespace tilewise::program {

bool IsForEvaluation(std::string_view text) {
  return Contains(text, "test") || Contains(text, "val") || Contains(text, "eval");
}

PipelineRole RoleByName(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* part : {"test", "val", "eval", "dev_", "predict", "infer"}) {
    if (Contains(lower, part)) return PipelineRole::kEvaluation;
  }
  return Contains(lower, "train") ? PipelineRole::kTraining : PipelineRole::kUnknown;
}

bool TakesOne(const python::Node& body) {
  return std::ranges::any_of(body.children(), [](const python::Node& statement) {
    return statement.is("break_statement");
  });
}

// Whether a function that is named for training is called: train_step(..), self.train(..),
// trainer.step(..); not a value of such a name: train_labels.numpy().
bool CallsToTrain(std::string_view body) {
  constexpr std::string_view kWord = "train";
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (size_t at = body.find(kWord); at != std::string_view::npos; at = body.find(kWord, at + 1)) {
    size_t end = at;
    while (end < body.size() && in_name(body[end])) ++end;
    if (end == body.size()) return false;
    if (body[end] == '(') return true;
    if (body.substr(at, end - at).starts_with("trainer") && body[end] == '.') return true;
  }
  return false;
}

// "evaluation/coco.py" of the path of a module.
std::string_view FileAndFolder(std::string_view path) {
  const size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

}  // namespace tilewise::program
