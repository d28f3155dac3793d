// Loaders are told apart by the line of their call.

#include "frontend/program/loader_arguments.h"

#include <algorithm>
#include <utility>

#include "frontend/program/record_facts.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

bool IsSameLine(const Location& a, const Location& b) {
  return a.file == b.file && a.cell == b.cell && a.line == b.line;
}

void SetSize(SourceCall& call, size_t position, std::string_view keyword, int64_t value) {
  const SourceArgument* const argument = ArgumentOf(call, position, keyword);
  if (argument == nullptr || !argument->sizes.empty() || !argument->integers.empty()) return;
  call.arguments[static_cast<size_t>(argument - call.arguments.data())].sizes = {value};
}

LoaderArguments ReadArguments(const Record& record, MapFunctions& functions) {
  LoaderArguments found;
  found.location = record.location;
  if (const std::string* name = record.text("name")) found.name = *name;
  if (const auto workers = record.number("workers")) {
    found.workers = static_cast<int64_t>(*workers);
  }
  if (const auto drops = record.number("drop_last")) found.drops_last = *drops != 0;
  found.works_ahead = record.number("works_ahead").value_or(0) != 0;
  const py::Value* data = record.Find("data");
  const py::Value* steps = record.Find("steps");
  if (data == nullptr) return found;
  MapFunction items =
      functions.ReadItems(*data, steps == nullptr ? nullptr : steps->as<py::Sequence>());
  if (items.resolved) found.items = std::move(items);
  return found;
}

// The loader whose batch the first step took: what gave one last before it. Null: none did.
const py::Value* TrainedOn(const std::vector<Record>& records) {
  const py::Value* last = nullptr;
  for (const Record& record : records) {
    if (record.kind == "loader_batch") last = record.Find("made");
    if (record.kind == "step" || record.kind == "backward") return last;
  }
  return nullptr;
}

}  // namespace

std::vector<LoaderArguments> LoadersOf(const std::vector<Record>& records,
                                       MapFunctions& functions) {
  std::vector<LoaderArguments> loaders;
  const py::Value* const trained = TrainedOn(records);
  for (const Record& record : records) {
    if (record.kind != "loader") continue;
    LoaderArguments found = ReadArguments(record, functions);
    const py::Value* made = record.Find("made");
    found.trains = trained != nullptr && made != nullptr && made->Is(*trained);
    const auto same = std::ranges::find_if(loaders, [&](const LoaderArguments& other) {
      return IsSameLine(other.location, found.location);
    });
    if (same == loaders.end()) {
      loaders.push_back(std::move(found));
      continue;
    }
    if (same->workers != found.workers) same->workers.reset();
    if (same->drops_last != found.drops_last) same->drops_last.reset();
    if (found.trains || !same->items) same->items = std::move(found.items);
    same->trains = same->trains || found.trains;
  }
  return loaders;
}

const LoaderArguments* LoaderAt(const std::vector<LoaderArguments>& loaders,
                                const Location& location) {
  const auto found = std::ranges::find_if(loaders, [&](const LoaderArguments& loader) {
    return IsSameLine(loader.location, location);
  });
  return found == loaders.end() ? nullptr : &*found;
}

void FillLoaders(const std::vector<LoaderArguments>& loaders, std::vector<SourceCall>& calls) {
  for (SourceCall& call : calls) {
    if (tilewise::LastName(call.name) != "DataLoader") continue;
    for (const LoaderArguments& loader : loaders) {
      if (!IsSameLine(loader.location, call.location)) continue;
      if (loader.workers) SetSize(call, 5, "num_workers", *loader.workers);
      if (loader.drops_last) SetSize(call, 8, "drop_last", *loader.drops_last ? 1 : 0);
    }
  }
}

std::optional<int64_t> ExamplesOf(const std::vector<Record>& records) {
  const Record* const data = LastRecord(records, "dataset_size");
  const std::optional<double> size = data == nullptr ? std::nullopt : data->number("size");
  return size ? std::optional(static_cast<int64_t>(*size)) : std::nullopt;
}

}  // namespace tilewise::program
