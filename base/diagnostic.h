// What a rule says: a finding with its place, its simulated cost and its fix.
// Also the warnings of readers ("unknown layer", "cannot resolve"), which use
// the ids RD001.. and have no cost.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/units.h"

namespace tilewise {

enum class Severity { kInfo, kWarning, kError };
std::string_view SeverityName(Severity severity);

// safe: meaning kept; unsafe: numbers, order or callbacks may change; show: a
// text for a person to apply; none: there is only advice.
enum class Applicability { kNone, kShow, kUnsafe, kSafe };
std::string_view ApplicabilityName(Applicability applicability);

struct TextEdit {
  Span span;                // replaced; empty range inserts
  std::string replacement;  // empty deletes
};

struct Fix {
  Applicability applicability = Applicability::kNone;
  std::string text;             // what to do, imperative, one sentence
  std::vector<TextEdit> edits;  // may be empty: then `text` is all there is
};

// What the finding costs on the simulated target. Absent parts were not
// simulated (no model, no pipeline) and are not printed; when all are absent
// `unknown` says why.
struct Cost {
  std::optional<Seconds> time_per_step;  // of the training (or inference) step
  std::optional<double> share_of_step;   // 0..1
  // Which step: false, the device's; true, the whole one on the wall clock,
  // host included.
  bool of_wall_step = false;
  std::optional<Bytes> bytes;   // HBM bytes wasted or held
  std::optional<double> flops;  // MXU FLOPs wasted per step and core
  // Paid once, however long the run is: a compilation.
  std::optional<Seconds> once_per_run = std::nullopt;
  // "the shape of its operand is not in the files"
  std::string unknown = {};

  bool known() const {
    return time_per_step || share_of_step || bytes || flops || once_per_run;
  }
};

struct Diagnostic {
  std::string rule;  // "AL001"
  std::string name;  // "tile-pad-waste"
  Severity severity = Severity::kWarning;
  Location location;
  std::string message;  // what was found and what was expected, with numbers
  Cost cost;
  Fix fix;
  std::vector<std::string> related;  // ids of rules this finding speaks for
};

// Order of reports: file, cell, line, column, item, rule, message.
bool ReportsBefore(const Diagnostic& a, const Diagnostic& b);

}  // namespace tilewise
