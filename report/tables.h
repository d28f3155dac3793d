// The tables of a report, shared by the formats that print tables.

#pragma once

#include <optional>
#include <vector>

#include "report/report.h"
#include "report/text.h"

namespace tilewise {

// Rows of the op table that are shown unless all are asked for.
inline constexpr size_t kShownOps = 12;

// `losses`: with the largest loss of each row.
Table OpTable(const std::vector<OpRow>& rows, bool all, bool losses);
Table LossTable(const LossSplit& split);
// What HBM holds at the peak; parts that are empty are left out.
Table MemoryTable(const MemoryUse& use);
Table RemedyTable(const std::vector<Remedy>& remedies);
Table BufferTable(const std::vector<LargeBuffer>& buffers);
Table StageTable(const std::vector<StageRow>& stages);
// One row per batch size; the best one is marked, and those whose peak is too near
// to the limit by the range of published ones.
Table CurveTable(const Tuning& tuning, const RunSetting& setting);
Table ExecutionTable(const Tuning& tuning);
// One row per machine, or per setting where there is one machine, best first.
Table ContenderTable(const Tuning& tuning);

// Rows of layers that differ in a number of their path only ("layer3/up"), of
// the same kind and bound and, within 2 %, of the same time become one row of
// their sums, "layer*/up (x126)", without a location. Longest first.
std::vector<OpRow> JoinEqualLayers(const std::vector<OpRow>& rows);

}  // namespace tilewise
