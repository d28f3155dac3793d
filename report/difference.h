// What differs between two programs, two runs, or a program and its run: what
// `tilewise diff` prints. Times of a side with another batch are compared per
// example.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/error_range.h"
#include "base/units.h"
#include "report/report.h"

namespace tilewise {

enum class SideKind : uint8_t { kPrediction, kLog, kProfile };
std::string_view SideKindName(SideKind kind);

// A layer, or an op of a profile.
struct SideGroup {
  std::string name, kind;
  Location location;
  Seconds time;  // of a step
};

// A finding and what tells it from others in any version of the program.
struct SideFinding {
  std::string key;
  Diagnostic finding;
};

// One of the two things that are compared. Absent figures are not known.
struct DiffSide {
  std::string name;  // "train.py at main"
  SideKind kind = SideKind::kPrediction;
  std::string target;  // in words; empty: not said
  int64_t global_batch = 0;
  bool batch_assumed = false;
  std::optional<Seconds> step;    // by the wall clock
  std::optional<Seconds> device;  // on the device
  std::optional<ErrorRange> time_range;
  std::optional<Bytes> hbm, available;
  std::optional<ErrorRange> memory_range;
  std::optional<Seconds> compile;
  std::optional<ErrorRange> compile_range;
  std::vector<SideGroup> groups;
  std::vector<SideFinding> findings;
  std::vector<std::string> notes;
};

enum class FigureKind : uint8_t { kStep, kDevice, kHbm, kCompile };
std::string_view FigureKey(FigureKind kind);  // "step", "hbm"

// One figure of both sides.
struct FigureDifference {
  FigureKind kind = FigureKind::kStep;
  double before = 0, after = 0;     // seconds or bytes
  double ratio = 1;                 // after over before, per example where batches differ
  std::optional<ErrorRange> range;  // where a ratio of equal programs would lie
  bool inside_range = false;        // the ratio lies there
  bool changed() const;             // by more than rounding
};

struct GroupDifference {
  std::string name, kind;
  Location before_location, after_location;
  std::optional<Seconds> before, after;  // absent: not on that side
  Seconds change() const { return after.value_or(Seconds{}) - before.value_or(Seconds{}); }
};

// A limit on how much worse a figure may be.
struct BudgetLimit {
  std::string text;  // as given: "step=+3%"
  FigureKind kind = FigureKind::kStep;
  std::optional<double> share;  // of the old figure
  double amount = 0;            // seconds or bytes
};

struct BudgetResult {
  BudgetLimit limit;
  bool known = true;  // both sides have the figure
  bool kept = true;
  double allowed = 0, found = 0;  // of the new figure
};

// A prediction beside a run.
inline bool IsProgramAndRun(const DiffSide& before, const DiffSide& after) {
  return (before.kind == SideKind::kPrediction) != (after.kind == SideKind::kPrediction);
}

struct Difference {
  std::string version;  // of tilewise
  DiffSide before, after;
  bool per_example = false;  // the batches differ
  std::vector<FigureDifference> figures;
  std::vector<GroupDifference> layers;  // largest change first
  std::vector<GroupDifference> kinds;   // the same by kind of op
  std::vector<Diagnostic> came, went;
  std::vector<BudgetResult> budget;
  bool no_longer_fits = false;

  const FigureDifference* Find(FigureKind kind) const;
  bool within_budget() const;
};

// `limits` may be empty.
Difference Compare(DiffSide before, DiffSide after, const std::vector<BudgetLimit>& limits);

// "step=+3%", "hbm=+1GiB", "compile=+20%", "step=+2ms". Errors say what was
// expected.
absl::StatusOr<BudgetLimit> ParseBudget(std::string_view text);

template <>
std::span<const FormatOf<Difference>> FormatsOf<Difference>();

}  // namespace tilewise
