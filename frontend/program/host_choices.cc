// What the interpreter asks of its host on the way: which way a condition goes
// that is not known, and what stands behind variables that are not.

#include <algorithm>

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include "frontend/program/decisions.h"
#include "frontend/program/search.h"

namespace tilewise::program {
namespace {

Span SpanOf(const py::Interpreter& in, const py::Node* node) {
  const std::vector<py::Frame*>& frames = in.frames();
  if (frames.empty() || frames.back()->module == nullptr || node == nullptr) return {};
  return {frames.back()->module->file, node->cell, node->begin, node->end};
}

std::string Excerpt(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string result(text.substr(0, text.find('\n')));
  if (result.size() > kLongest) result = result.substr(0, kLongest);
  if (result.size() < text.size()) result += "...";
  return result;
}

int32_t LastLineOf(const py::Node* node) {
  if (node == nullptr) return 0;
  int32_t last = node->line;
  for (const py::Node* part : {node->a, node->b, node->c, node->d}) {
    last = std::max(last, LastLineOf(part));
  }
  for (const py::Node* part : node->list) last = std::max(last, LastLineOf(part));
  return last;
}

// Where a loop or a branch is. Code that was made of another language has lines and no positions.
void PlaceBlock(const py::Interpreter& in, const py::Node* node, Record& record) {
  record.statement = SpanOf(in, node);
  if (node->begin < node->end) return;
  record.fields.emplace_back("first_line", py::Value(int64_t{node->line}));
  record.fields.emplace_back("last_line", py::Value(int64_t{LastLineOf(node)}));
}

// The number or the name that a node is.
std::string WordOf(const py::Node* node) {
  if (node->kind == py::NodeKind::kConstant && node->constant.tag == py::Value::Tag::kInt) {
    return std::to_string(node->constant.integer);
  }
  return node->name == nullptr ? "several" : *node->name;
}

const py::Node* ConditionOf(const py::Node* node) {
  return node->kind == py::NodeKind::kConditional ? node->b : node->a;
}

}  // namespace

// Where sizes are assumed, a layer of a size that may be 0 is made, not what stands in its place.
std::optional<bool> ProgramHost::DecideLayer(py::Interpreter& in, const py::Node* node) const {
  if (!trace_.assumes_sizes || node->kind != py::NodeKind::kConditional) return std::nullopt;
  const auto is_identity = [](const py::Node* branch) {
    return branch->kind == py::NodeKind::kCall && branch->a->name != nullptr &&
           *branch->a->name == "Identity";
  };
  const bool first = is_identity(node->a);
  if (first == is_identity(node->c)) return std::nullopt;
  in.Note("RD002", in.UserLocation(),
          "whether a layer of a size that is not known is made is not known; it is made");
  return !first;
}

std::optional<bool> ProgramHost::Decide(py::Interpreter& in, const py::Node* node) {
  if (const std::optional<bool> layer = DecideLayer(in, node)) return layer;
  if (!in.Loaded("tensorflow")) return std::nullopt;
  const std::vector<py::Frame*>& frames = in.frames();
  if (frames.empty() || frames.back()->module->origin != py::Module::Origin::kUser) {
    return std::nullopt;
  }
  const py::Node* condition = ConditionOf(node);
  const std::optional<bool> trains = MeansTraining(condition);
  if (!trains.has_value()) return std::nullopt;
  const bool builds = node->kind == py::NodeKind::kConditional
                          ? BuildsDatasets(node->a) || BuildsDatasets(node->c)
                          : BuildsDatasets(node->b) || BuildsDatasets(node->c);
  if (builds) {
    py::Frame place = *frames.back();
    place.at = condition;
    in.Note("RD002", in.LocationOf(place),
            fmt::format("cannot tell whether `{}` holds; what trains is read, so it is taken {} "
                        "hold, here and below",
                        Excerpt(texts_.Text(SpanOf(in, condition))), *trains ? "to" : "not to"));
  }
  return trains;
}

void ProgramHost::TookBuilder(py::Interpreter& in, const py::Node* node) {
  py::Frame place = *in.frames().back();
  if (place.module->origin != py::Module::Origin::kUser) return;
  place.at = node;
  in.Note("RD002", in.LocationOf(place),
          fmt::format("cannot tell whether `{}` holds; the branch that builds the model or "
                      "dataset first is taken as the one that runs",
                      Excerpt(texts_.Text(SpanOf(in, ConditionOf(node))))));
}

namespace {

// Whether a name in the expression says that it counts epochs; that of the steps of
// one does not.
bool NamesEpochs(const py::Node* node) {
  if (node == nullptr) return false;
  if (node->name != nullptr) {
    const std::string name = absl::AsciiStrToLower(*node->name);
    const bool other =
        name.find("per_epoch") != std::string::npos || name.find("step") != std::string::npos;
    if (name.find("epoch") != std::string::npos && !other) return true;
  }
  return NamesEpochs(node->a) || NamesEpochs(node->b) ||
         std::ranges::any_of(node->list, NamesEpochs);
}

}  // namespace

void ProgramHost::LoopTrained(py::Interpreter& in, const py::Node* node,
                              std::optional<int64_t> rounds) {
  // What goes over the data has no count; the loop around it has the epochs.
  const bool around_data = std::exchange(counted_, -1) == in.progress();
  const bool named = NamesEpochs(node->a) || NamesEpochs(node->b);
  if (!rounds.has_value()) counted_ = in.progress();
  Record record;
  record.kind = rounds.has_value() && (around_data || named) ? "epoch_loop" : "trained_loop";
  py::Frame place = *in.frames().back();
  place.at = node;
  record.location = in.LocationOf(place);
  PlaceBlock(in, node, record);
  if (rounds.has_value()) record.fields.emplace_back("count", py::Value(*rounds));
  const bool over_data = !rounds.has_value() && node->kind == py::NodeKind::kFor;
  record.fields.emplace_back("over_data", py::Value(over_data));
  record.fields.emplace_back("progress", py::Value(in.progress()));
  trace_.records.push_back(std::move(record));
}

bool ProgramHost::TrainsInSomeRounds(py::Interpreter& in, const py::Node* node, bool truth) {
  const py::Frame& frame = *in.frames().back();
  const bool follows = in.progress() > frame.round;
  if (frame.module->origin != py::Module::Origin::kUser || (!truth && !follows)) return false;
  const py::Node* rounds = RoundsBetween(node->a);
  if (rounds == nullptr || node->c != nullptr || !HasWholeStep(node->b)) return false;
  Record record;
  record.kind = "some_rounds";
  record.location = in.LocationOf(frame);
  PlaceBlock(in, node, record);
  record.fields.emplace_back("rounds", in.Text(WordOf(rounds)));
  trace_.records.push_back(std::move(record));
  return true;
}

void ProgramHost::Named(py::Symbol name, py::Instance& instance) {
  if (trace_.chain_type == nullptr) return;
  const py::Object* held = &instance;
  if (!instance.type->Derives(trace_.chain_type)) {
    // Data sets for the replicas of a strategy hold the one that they share.
    if (*instance.type->name != "DistributedDataset") return;
    const py::Value* inner = instance.attributes.Find(py::SymbolOf("_dataset"));
    if (inner == nullptr || !inner->is_object()) return;
    held = inner->object;
  }
  trace_.chain_names[held] = *name;
}

bool ProgramHost::TakesFirst(const py::Instance& instance) {
  return trace_.chain_type != nullptr && instance.type->Derives(trace_.chain_type);
}

py::Value ProgramHost::UndefinedName(py::Interpreter& in, py::Symbol name) {
  if (options_.strict_names) return {};
  // Parts of programs are shown without their imports.
  for (const auto& [usual, package] :
       {std::pair("tf", "tensorflow"), std::pair("np", "numpy"), std::pair("keras", "keras")}) {
    if (*name == usual && in.Loaded("tensorflow")) return in.Import(package);
  }
  return in.MakeUnknown(fmt::format("name `{}` is not defined", *name));
}

py::Value ProgramHost::Missing(py::Interpreter& in, py::Symbol name) {
  const py::Value find = in.Attribute(in.Import("_tilewise_arguments"), in.Name("missing"));
  return in.Call(find, {in.Text(*name)});
}

py::Value ProgramHost::UnknownMethod(py::Interpreter& in, const py::Node* callee,
                                     const py::Value& value) {
  const py::Symbol method = callee->name;
  if (in.Loaded("torch") && in.frame().module->origin == py::Module::Origin::kUser) {
    if (*method == "backward") {
      py::Frame place = in.frame();
      place.at = callee;
      in.Note("RD002", in.LocationOf(place),
              fmt::format("the loss is not known: {}", value.as<py::Unknown>()->reason()));
      return in.Attribute(in.Import("torch._unseen"), in.Name("backward"));
    }
    if (*method == "view" || *method == "reshape") {
      return in.Attribute(in.Import("torch._unseen"), in.Name("view"));
    }
  }
  if (callee->a->kind != py::NodeKind::kName) return {};
  const std::string& name = *callee->a->name;
  if (!in.Loaded("tensorflow") || in.frame().module->origin != py::Module::Origin::kUser) {
    return {};
  }
  if ((*method == "fit" || *method == "compile") &&
      (name == "model" || name.ends_with("_model") || name == "self")) {
    return in.Attribute(in.Import("keras._unseen"), method);
  }
  const bool named =
      name == "ds" || name == "dataset" || name.ends_with("_ds") || name.ends_with("_dataset");
  if (!named || !IsDatasetMethod(*method)) return {};
  // The location of the source is that of the variable.
  Location at = in.LocationOf(in.frame());
  at.line = callee->a->line;
  at.column = callee->a->column;
  const py::Interpreter::Placed placed(in, at);
  const py::Value make = in.Attribute(in.Import("tensorflow.data._sources"), in.Name("unseen"));
  const py::Value made = in.Call(make, {in.Text(name)});
  if (py::IsUnknown(made)) return {};
  if (const py::Instance* instance = made.as<py::Instance>()) {
    trace_.chain_names[instance] = name;
  }
  return in.Attribute(made, method);
}

}  // namespace tilewise::program
