// Calls and names are those of the source; mentions in comments are renamed
// with the others.

#include "rules/input/old_names.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "edit/python.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr std::string_view kOldAutotune = "data.experimental.AUTOTUNE";

}  // namespace

bool MayRunOn(const Facts& facts, Release release) {
  const SourceFacts& source = facts.workload.facts;
  const auto newest = NewestRelease(source, "tensorflow");
  if (newest && *newest < release) return false;
  return std::ranges::none_of(source.calls, [](const SourceCall& call) {
    const std::string_view last = LastName(call.name);
    return call.name.starts_with("tensorflow.contrib.") || last == "disable_eager_execution" ||
           last == "disable_v2_behavior";
  });
}

std::vector<TextEdit> IterateOver(const Workload& workload, const SourceCall& call) {
  if (call.receiver.empty() || call.arguments.size() == 1) {
    return ReplaceCallName(workload, call.arguments_span, "iter");
  }
  const std::string before = fmt::format("{}.{}(", call.receiver, LastName(call.name));
  Span whole = call.arguments_span;
  whole.begin -= static_cast<int64_t>(before.size());
  if (whole.begin < 0 || whole.begin + static_cast<int64_t>(before.size()) != whole.end) {
    return {};
  }
  if (TextOf(workload, whole) != before) return {};
  ++whole.end;
  return {{whole, fmt::format("iter({})", call.receiver)}};
}

std::map<std::string, Location> OldAutotunes(const SourceFacts& source) {
  constexpr std::string_view kName = "tensorflow.data.experimental.AUTOTUNE";
  std::map<std::string, Location> first;
  const auto add = [&](const std::string& name, const Location& place) {
    if (name != kName) return;
    const auto [known, added] = first.try_emplace(place.file, place);
    const auto order = [](const Location& at) { return std::tie(at.cell, at.line, at.column); };
    if (!added && order(place) < order(known->second)) known->second = place;
  };
  for (const SourceCall& call : source.calls) {
    for (const SourceArgument& argument : call.arguments) {
      add(argument.name, call.location);
    }
  }
  for (const SourceAssignment& assignment : source.assignments) {
    add(assignment.name, assignment.location);
  }
  return first;
}

std::vector<TextEdit> RenameAutotune(const SourceFile& file) {
  std::vector<TextEdit> edits;
  const auto add = [&](const std::string& text, int32_t cell) {
    for (size_t at = text.find(kOldAutotune); at != std::string::npos;
         at = text.find(kOldAutotune, at + 1)) {
      const size_t end = at + kOldAutotune.size();
      edits.push_back({{file.path, cell, static_cast<int64_t>(at), static_cast<int64_t>(end)},
                       "data.AUTOTUNE"});
    }
  };
  add(file.text, 0);
  for (size_t i = 0; i < file.cells.size(); ++i) {
    add(file.cells[i], static_cast<int32_t>(i) + 1);
  }
  return edits;
}

}  // namespace tilewise
