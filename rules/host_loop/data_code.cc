// Starts from what loaders are given and from classes by their bases and names,
// and follows calls by name.

#include "rules/host_loop/data_code.h"

#include <algorithm>

#include "workload/blocks.h"

namespace tilewise {
namespace {

bool IsDatasetClass(const SourceContext& type) {
  return std::ranges::any_of(type.bases, [](const std::string& base) {
    return LastName(base).ends_with("Dataset") || LastName(base).ends_with("DataSource") ||
           LastName(base).ends_with("MapTransform");
  });
}

// These map a data set, when they are not within a loop of steps.
constexpr std::string_view kMaps = "set_transform|with_transform|map_dataset";

bool Repeats(const SourceFacts& facts, int32_t context) {
  for (; context >= 0; context = facts.contexts[context].parent) {
    const ContextKind kind = facts.contexts[context].kind;
    if (kind == ContextKind::kFor || kind == ContextKind::kWhile ||
        kind == ContextKind::kComprehension) {
      return true;
    }
    if (kind == ContextKind::kFunction || kind == ContextKind::kClass) return false;
  }
  return false;
}

}  // namespace

DataCode::DataCode(const SourceFacts& facts) : facts_(facts) {
  AddClasses();
  AddGiven();
  while (!pending_.empty()) {
    const int32_t function = pending_.back();
    pending_.pop_back();
    Follow(function);
  }
}

void DataCode::AddClasses() {
  for (size_t i = 0; i < facts_.contexts.size(); ++i) {
    const SourceContext& function = facts_.contexts[i];
    if (function.kind != ContextKind::kFunction) continue;
    const auto index = static_cast<int32_t>(i);
    const int32_t owner = function.parent;
    const bool method = owner >= 0 && facts_.contexts[owner].kind == ContextKind::kClass;
    if (Mentions(function.name, "collate")) Add(index, DataPart::kBatch);
    if (!method) continue;
    const SourceContext& type = facts_.contexts[owner];
    if (function.name == "__call__" && Mentions(type.name, "collat")) {
      Add(index, DataPart::kBatch);
    }
    if (function.name == "torch_call" || function.name == "numpy_call") {
      Add(index, DataPart::kBatch);
    }
    const bool item =
        function.name == "__getitem__" || function.name == "__iter__" || function.name == "map";
    if (item && IsDatasetClass(type)) Add(index, DataPart::kItem);
  }
}

// collate_fn=collate, collate_fn=Collator(..), data.set_transform(f).
void DataCode::AddGiven() {
  const auto add = [&](const SourceArgument& argument, int32_t context, DataPart part) {
    if (!argument.name.empty()) Add(DefinitionOf(facts_, argument.name, context), part);
    std::string type;
    if (argument.call >= 0) type = facts_.calls[argument.call].name;
    for (const SourceCall& made : facts_.calls) {
      if (IsOneOf(argument.name, made.results)) type = made.name;
    }
    for (size_t i = 0; i < facts_.contexts.size() && !type.empty(); ++i) {
      const SourceContext& function = facts_.contexts[i];
      if (function.name != "__call__" || function.parent < 0) continue;
      if (facts_.contexts[function.parent].name == type) Add(static_cast<int32_t>(i), part);
    }
  };
  for (const SourceCall& call : facts_.calls) {
    if (const SourceArgument* collate = ArgumentOf(call.arguments, "collate_fn")) {
      add(*collate, call.context, DataPart::kBatch);
    }
    if (!IsOneOfWords(LastName(call.name), kMaps) || call.arguments.empty()) continue;
    add(call.arguments[0], call.context, DataPart::kItem);
  }
}

void DataCode::Add(int32_t function, DataPart part) {
  if (function < 0) return;
  if (functions_.emplace(function, part).second) pending_.push_back(function);
}

void DataCode::Follow(int32_t function) {
  const DataPart part = functions_.at(function);
  for (const SourceCall& call : facts_.calls) {
    if (!IsInside(facts_, call.context, function)) continue;
    const int32_t called = DefinitionOf(facts_, call.name, call.context);
    if (called < 0) continue;
    Add(called, part);
    const bool again =
        Repeats(facts_, call.context) || std::ranges::find(repeated_, function) != repeated_.end();
    if (again) repeated_.push_back(called);
  }
}

DataPart DataCode::At(int32_t context) const {
  for (int32_t at = Around(facts_, context, ContextKind::kFunction); at >= 0;
       at = Around(facts_, facts_.contexts[at].parent, ContextKind::kFunction)) {
    const auto found = functions_.find(at);
    if (found != functions_.end()) return found->second;
  }
  return DataPart::kNone;
}

bool DataCode::RunsForEachItem(int32_t context) const {
  if (At(context) == DataPart::kItem) return true;
  const int32_t function = Around(facts_, context, ContextKind::kFunction);
  return Repeats(facts_, context) || std::ranges::find(repeated_, function) != repeated_.end();
}

}  // namespace tilewise
