// A rule reports a finding with its location, its simulated cost and its fix.
// Warnings of readers ("unknown layer", "cannot resolve") are diagnostics as
// well: they use the ids RD001.. and have no cost.

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
  // The model computes other numbers afterwards: another pooling, bfloat16, a
  // wider layer.
  bool changes_numerics = false;
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

  bool known() const { return time_per_step || share_of_step || bytes || flops || once_per_run; }
};

// What the simulated target gains when the fix is applied: the difference of
// two simulations. Negative parts are lost.
struct Saving {
  Seconds time_per_step;
  double share_of_step = 0;   // of the step as it is
  bool of_wall_step = false;  // as Cost::of_wall_step
  Bytes hbm;                  // of the peak, per core
};

// An op of a file that has no lines, as text, and the part of it that the
// finding is about: a byte range, empty when it is about all of it.
struct OpLine {
  std::string text;  // "conv1: f32[128,7,7,600] convolution(x, conv1/kernel)"
  size_t begin = 0;
  size_t end = 0;
};

struct Diagnostic {
  std::string rule;  // "AL001"
  std::string name;  // "tile-pad-waste"
  Severity severity = Severity::kWarning;
  Location location;
  std::string message;  // what was found and what was expected, with numbers
  Cost cost;
  Fix fix;
  std::optional<Saving> saving;      // absent: the fix was not simulated
  std::vector<std::string> related;  // ids of rules this finding speaks for
  std::optional<OpLine> op_line;
  // 16 hexadecimal digits that stay the same while lines move and neighbours
  // are renamed; empty until it was computed.
  std::string fingerprint;
};

// Order of reports: file, cell, line, column, item, rule, message.
bool ReportsBefore(const Diagnostic& a, const Diagnostic& b);

}  // namespace tilewise
