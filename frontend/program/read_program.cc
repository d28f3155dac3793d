// Reads a program, and again in another way where that gives no model.

#include "frontend/program/read_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/program/read_once.h"

namespace tilewise::program {
namespace {

// The ways in the order in which they are tried: the first changes least.
std::vector<ProgramOptions> OtherWays(const Reading& first, const ProgramOptions& options) {
  std::vector<ProgramOptions> ways;
  ProgramOptions way = options;
  if (first.found == Reading::Found::kGraph) {
    way.arguments = first.example;
    if (!first.example.empty() && TrainsOnFew(first.result)) ways.push_back(std::move(way));
    return ways;
  }
  if (first.wrong_order) {
    way.packages_first = true;
    ways.push_back(way);
    way.packages_first = false;
  }
  if (!first.example.empty()) {
    way.arguments = first.example;
    ways.push_back(way);
  }
  way.assumes_sizes = first.lacks_sizes;
  if (way.assumes_sizes) ways.push_back(way);
  if (!options.goes_on && (first.failed || first.lacks_sizes || !first.example.empty())) {
    way.goes_on = true;
    way.assumes_sizes = true;
    ways.push_back(std::move(way));
  }
  return ways;
}

void NoteArguments(const std::string& path, const ProgramOptions& way, bool few, ReadResult& out) {
  out.notes.push_back({.rule = "RD002",
                       .severity = Severity::kWarning,
                       .location = {path, 0, 0, 0, ""},
                       .message = fmt::format(
                           "{} with the defaults of the command line; it is read with those of an "
                           "example beside it: {}; give others with -- ARGUMENT",
                           few ? "the program trains on a few items" : "no model was found",
                           fmt::join(way.arguments, " "))});
}

}  // namespace

bool TrainsOnFew(const ReadResult& result) {
  constexpr int64_t kHandful = 8;
  const Pipeline* pipeline = result.training_pipeline();
  if (pipeline == nullptr || pipeline->stages.empty()) return false;
  return pipeline->source_items.value_or(kHandful + 1) <= kHandful;
}

absl::StatusOr<ReadResult> ReadProgram(const std::string& path,
                                       const std::vector<ProgramText>& texts,
                                       const ProgramOptions& options) {
  absl::StatusOr<Reading> best = ReadOnce(path, texts, options);
  if (!best.ok()) return best.status();
  ProgramOptions taken = options;
  bool was_few = false;  // what `taken` is taken for
  std::map<int64_t, std::vector<int64_t>> fed = best->fed;
  for (const ProgramOptions& way : OtherWays(*best, options)) {
    absl::StatusOr<Reading> other = ReadOnce(path, texts, way);
    // Where nothing is found, the reason is that of the program as its page starts it, if that
    // got further.
    const bool started = way.arguments != options.arguments;
    const bool few = TrainsOnFew(best->result);
    const bool alike = started && !way.goes_on && other.ok() && other->found == best->found;
    const bool further = alike && (few ? !TrainsOnFew(other->result) : other->steps > best->steps);
    if (other.ok() && best->found == Reading::Found::kNothing && fed.empty()) fed = other->fed;
    if (!other.ok() || (other->found <= best->found && !further)) continue;
    best = std::move(other);
    taken = way;
    was_few = few;
    if (best->found != Reading::Found::kNothing) fed = best->fed;
    if (started) NoteArguments(path, way, few, best->result);
    if (best->found == Reading::Found::kGraph) break;
  }
  // A graph of placeholders is made before it is seen what they are fed.
  if (!fed.empty()) {
    taken.fed = std::move(fed);
    absl::StatusOr<Reading> other = ReadOnce(path, texts, taken);
    if (other.ok() && other->found >= best->found) {
      best = std::move(other);
      if (taken.arguments != options.arguments) NoteArguments(path, taken, was_few, best->result);
    }
  }
  return std::move(best->result);
}

}  // namespace tilewise::program
