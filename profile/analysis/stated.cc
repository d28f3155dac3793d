// Figures that a tool computed stand where the events give none.

#include <algorithm>

#include "profile/analysis/analysis.h"

namespace tilewise {
namespace {

void AddStatedPart(StepPartKind kind, std::optional<Seconds> time, std::optional<double> share,
                   ProfileAnalysis& analysis) {
  const Seconds step = analysis.steps.wall.mean;
  if (!time && !share) return;
  StepPartTime part{.kind = kind};
  part.time = time ? *time : step * *share;
  part.share = share ? *share : (step > Seconds{} ? *time / step : 0);
  analysis.parts.push_back(part);
}

void AddStatedOps(const StatedFigures& stated, ProfileAnalysis& analysis) {
  for (const StatedOp& op : stated.ops) {
    if (op.kind == "IDLE" || op.name == "IDLE") continue;
    if (op.on_host) {
      analysis.host.push_back(
          {.name = op.name, .kind = HostClass::kOther, .count = op.count, .self = op.self});
      continue;
    }
    ProfileOpRow row{.name = op.name, .kind = op.kind};
    row.op_class = ClassOf({.name = op.name, .kind = op.kind});
    row.count = op.count;
    row.self = op.self;
    if (op.count > 0) row.average = op.self / static_cast<double>(op.count);
    row.share = op.share;
    row.flop_rate = op.flop_rate;
    row.byte_rate = op.byte_rate;
    row.bound = op.bound == "Memory" ? "HBM" : op.bound == "Unknown" ? "" : op.bound;
    analysis.ops.push_back(std::move(row));
  }
}

}  // namespace

void AddStated(const Profile& profile, ProfileAnalysis& analysis) {
  const StatedFigures& stated = profile.stated;
  if (stated.mxu_use) analysis.mxu_use = stated.mxu_use;
  if (stated.hbm_share) analysis.hbm_use = stated.hbm_share;
  if (analysis.device_type.empty()) analysis.device_type = stated.hardware;
  if (profile.event_count() > 0) return;
  analysis.devices = stated.cores;
  if (stated.step) {
    analysis.steps.source = "the tool's summary";
    analysis.steps.device = analysis.steps.wall = *stated.step;
  }
  AddStatedPart(StepPartKind::kCompute, stated.compute, stated.compute_share, analysis);
  AddStatedPart(StepPartKind::kInput, stated.input, stated.input_share, analysis);
  AddStatedPart(StepPartKind::kOutput, stated.output, stated.output_share, analysis);
  AddStatedPart(StepPartKind::kHost, stated.idle, stated.idle_share, analysis);
  std::stable_sort(analysis.parts.begin(), analysis.parts.end(),
                   [](const StepPartTime& a, const StepPartTime& b) { return a.share > b.share; });
  if (stated.device_idle) analysis.device_busy = 1 - *stated.device_idle;
  AddStatedOps(stated, analysis);
}

}  // namespace tilewise
