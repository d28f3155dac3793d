// Names and loops are all that tells what data are for where no step takes them.

#include "frontend/program/data_roles.h"

#include <algorithm>
#include <array>
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

namespace {

// Calls that show something, and those that only say how.
constexpr std::array<std::string_view, 9> kShow = {"print", "display", "imshow", "plot",   "show",
                                                   "hist",  "scatter", "pprint", "matshow"};
constexpr std::array<std::string_view, 33> kPlain = {
    "len",     "type",      "str",      "repr",    "format",  "list",  "tuple", "dict",   "range",
    "zip",     "enumerate", "int",      "float",   "numpy",   "keys",  "items", "values", "decode",
    "subplot", "figure",    "title",    "axis",    "squeeze", "shape", "item",  "tolist", "astype",
    "join",    "as_list",   "subplots", "savefig", "close",   "legend"};

struct CallsOfLoop {
  bool shows = false;
  bool others = false;
};

void LookAtCalls(const python::Node& node, CallsOfLoop& calls) {
  if (node.is("call")) {
    const std::string_view name = node.field("function").text();
    const std::string_view last = name.substr(name.rfind('.') + 1);
    const bool shows = std::ranges::find(kShow, last) != kShow.end();
    calls.shows = calls.shows || shows;
    calls.others = calls.others || !(shows || std::ranges::find(kPlain, last) != kPlain.end());
  }
  for (const python::Node& child : node.children()) LookAtCalls(child, calls);
}

}  // namespace

bool OnlyShows(const python::Node& body) {
  CallsOfLoop calls;
  LookAtCalls(body, calls);
  return calls.shows && !calls.others;
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
bool IsNamedForEvaluation(std::string_view path) {
  constexpr std::string_view kWords = "eval|evaluate|evaluation|infer|inference|predict|prediction";
  std::string_view stem = path.substr(path.rfind('/') + 1);
  stem = stem.substr(0, stem.find('.'));
  while (!stem.empty()) {
    const size_t end = std::min(stem.find_first_of("_-"), stem.size());
    if (IsOneOfWords(stem.substr(0, end), kWords)) return true;
    stem.remove_prefix(std::min(end + 1, stem.size()));
  }
  return false;
}

std::string_view FileAndFolder(std::string_view path) {
  const size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

}  // namespace tilewise::program
