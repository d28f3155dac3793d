// The parts of the JSON report. Every number has its unit in its key's name;
// shares and ratios are 0..1.

#pragma once

#include <nlohmann/json.hpp>

#include "report/report.h"

namespace tilewise {

// Keys keep the order in which they were added: the same report, the same
// bytes.
using Json = nlohmann::ordered_json;

Json JsonLocation(const Location& location);
Json JsonDiagnostic(const Diagnostic& diagnostic);
Json JsonDiagnostics(const std::vector<Diagnostic>& diagnostics);
// "counts", "failures", and where they are known "silenced", "programs",
// "reachable" and "statistics".
void AddJsonSummary(const Report& report, Json& json);
Json JsonStep(const Report& report);
Json JsonOps(const std::vector<OpRow>& ops);
Json JsonLosses(const LossSplit& split);
Json JsonKernels(const std::vector<KernelRow>& kernels);
Json JsonBuffers(const std::vector<LargeBuffer>& buffers);
Json JsonMemory(const Report& report);
Json JsonLoop(const LoopTimeline& loop);
Json JsonStages(const std::vector<StageRow>& stages);
Json JsonTuning(const Tuning& tuning);

}  // namespace tilewise
