// The tables of a report, shared by the formats that print tables.

#pragma once

#include "report/report.h"
#include "report/table.h"

namespace tilewise {

// Rows of the op table that are shown unless all are asked for.
inline constexpr size_t kShownOps = 12;

// `losses`: with the largest loss of each row.
Table OpTable(const std::vector<OpRow>& rows, bool all, bool losses);
Table LossTable(const LossSplit& split);
// What HBM holds at the peak; parts that are empty are left out.
Table MemoryTable(const MemoryUse& use);
Table FitTable(const std::vector<FitTrial>& trials);
Table BufferTable(const std::vector<LargeBuffer>& buffers);
Table StageTable(const std::vector<StageRow>& stages);
// One row per batch size; the best one is marked.
Table CurveTable(const Tuning& tuning);
Table ExecutionTable(const Tuning& tuning);

}  // namespace tilewise
