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
  if (first.found == Reading::Found::kGraph) return ways;
  ProgramOptions way = options;
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

void NoteArguments(const std::string& path, const ProgramOptions& way, ReadResult& out) {
  out.notes.push_back({.rule = "RD002",
                       .severity = Severity::kWarning,
                       .location = {path, 0, 0, 0, ""},
                       .message = fmt::format(
                           "no model was found with the defaults of the command line; it is read "
                           "with those of an example beside it: {}; give others with -- ARGUMENT",
                           fmt::join(way.arguments, " "))});
}

}  // namespace

absl::StatusOr<ReadResult> ReadProgram(const std::string& path,
                                       const std::vector<ProgramText>& texts,
                                       const ProgramOptions& options) {
  absl::StatusOr<Reading> best = ReadOnce(path, texts, options);
  if (!best.ok()) return best.status();
  for (const ProgramOptions& way : OtherWays(*best, options)) {
    absl::StatusOr<Reading> other = ReadOnce(path, texts, way);
    // Where nothing is found, the reason is that of the program as its page starts it, if that
    // got further.
    const bool started = way.arguments != options.arguments;
    const bool further = started && !way.goes_on && other.ok() && other->found == best->found &&
                         other->steps > best->steps;
    if (!other.ok() || (other->found <= best->found && !further)) continue;
    best = std::move(other);
    if (started) NoteArguments(path, way, best->result);
    if (best->found == Reading::Found::kGraph) break;
  }
  return std::move(best->result);
}

}  // namespace tilewise::program
