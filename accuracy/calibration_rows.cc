// Rows of other chips are left out by the name of the chip that theirs stands
// on.

#include "accuracy/calibration_rows.h"

#include <atomic>
#include <set>
#include <thread>

#include "accuracy/csv.h"
#include "accuracy/read_set.h"

namespace tilewise {
namespace {

bool HasFigure(const Point& point) {
  return point.not_simulated.empty() && point.counted && !point.out_of_memory &&
         point.figure.quantity != Quantity::kFits && point.figure.value > 0;
}

// Lines of the rows that meet all conditions.
absl::StatusOr<std::set<int64_t>> LinesToFit(const MeasuredTable& table,
                                             const std::vector<RowCondition>& where) {
  TW_ASSIGN_OR_RETURN(const Csv csv, Csv::Parse(table.path, table.text));
  std::set<int64_t> lines;
  for (size_t row = 0; row < csv.rows(); ++row) {
    bool all = true;
    for (const RowCondition& condition : where) {
      TW_ASSIGN_OR_RETURN(const bool holds, condition.Holds(csv, row));
      all = all && holds;
    }
    if (all) lines.insert(csv.line(row));
  }
  return lines;
}

absl::Status AddTable(const MeasuredTable& table, const CalibrateOptions& options,
                      const std::string& base, CalibrationRows& rows) {
  TW_ASSIGN_OR_RETURN(MeasuredSet set, ReadMeasuredSet(table.path, table.text));
  TW_ASSIGN_OR_RETURN(const std::set<int64_t> lines, LinesToFit(table, options.where));
  const Machine machine = MachineFor(options.machine, set.published);
  rows.rows += set.rows;
  for (Point& point : set.points) {
    if (!point.chip.empty()) {
      const absl::StatusOr<std::string> chip = BaseChipName(point.chip);
      if (!chip.ok() || *chip != base) {
        ++rows.other_chips;
        continue;
      }
    }
    if (!HasFigure(point)) continue;
    absl::StatusOr<Target> target = TargetOf(point, machine);
    if (!target.ok()) continue;
    const bool meets = lines.contains(point.line);
    rows.compared.push_back({std::move(point), *std::move(target), &table.load, meets});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CalibrationRows> ReadCalibrationRows(const std::vector<MeasuredTable>& tables,
                                                    const CalibrateOptions& options) {
  const std::string& name = options.machine.chip;
  TW_ASSIGN_OR_RETURN(const Chip chip, FindChip(name));
  TW_ASSIGN_OR_RETURN(const std::string base, BaseChipName(name));
  CalibrationRows rows;
  for (const MeasuredTable& table : tables) {
    TW_RETURN_IF_ERROR(AddTable(table, options, base, rows));
  }
  std::vector<const CalibrationRow*> all;
  for (const CalibrationRow& row : rows.compared) all.push_back(&row);
  const std::vector<double> simulated = SimulateRows(all, chip, options.threads);
  for (size_t i = 0; i < simulated.size(); ++i) {
    rows.compared[i].simulated = simulated[i];
  }
  std::erase_if(rows.compared, [](const CalibrationRow& row) { return !(row.simulated > 0); });
  return rows;
}

std::vector<double> SimulateRows(std::span<const CalibrationRow* const> rows, const Chip& chip,
                                 int threads) {
  std::vector<double> simulated(rows.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < rows.size(); i = next++) {
      Target target = rows[i]->target;
      target.chip = chip;
      const absl::StatusOr<Prediction> prediction = Predict(rows[i]->point, target, *rows[i]->load);
      if (prediction.ok()) simulated[i] = prediction->value;
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins
  return simulated;
}

}  // namespace tilewise
