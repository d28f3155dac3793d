// The answer in plain sentences: what a step costs, where the time goes, what
// to train with. All formats print the same ones.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace tilewise {

// Every figure of a report is a simulation; this says so.
inline constexpr std::string_view kEstimateLabel =
    "simulated estimate, not a measurement; see docs/accuracy.md";

// Whether the step fits the HBM: too close to tell where fewer than two thirds
// of measured peaks, scaled to the simulated one, say either.
MemoryVerdict VerdictOn(const Report& report);  // which has a program
std::string_view MemoryVerdictName(MemoryVerdict verdict);
Bytes LowPeak(const Report& report);
Bytes HighPeak(const Report& report);

// The same with where measured figures of such steps lie.
std::string EstimateLabel(const Report& report);

std::vector<std::string> VerdictSentences(const Report& report);

// "3 errors, 2 warnings, 1 info"; "no findings".
std::string CountFindings(const std::vector<Diagnostic>& findings);

// "batch 4,096 (512 per core)"; `share`: see RunSetting::batch_share.
std::string FormatBatch(int64_t global_batch, int64_t batch_per_core, std::string_view share);

// The same batch in executions of as many steps.
bool SamePoint(const Trial& a, const Trial& b);
// Whether the best of the search is more than its margin faster than the present setting, or that
// does not fit. True also where there is none.
bool IsWorthAChange(const Tuning& tuning);

struct Rematerialization {
  int64_t kernels = 0;  // that run again
  Seconds time;         // of these, in a step; 0 when nothing was simulated
  Bytes peak_without;
};

// Returns nothing when the step fits without.
std::optional<Rematerialization> RematerializationOf(const Report& report);

// "XLA computes the results of 12 kernels again to make it fit ..."; empty when
// it does not.
std::string RematerializationSentence(const Report& report);

}  // namespace tilewise
