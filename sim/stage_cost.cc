// Costs of tf.data stages from the host's rates: an iterator step per element,
// a call per map, bytes read, copied, computed on and decoded. An op inside a
// map is charged one iterator step to dispatch and one pass over its element.

#include "sim/stage_cost.h"

#include <algorithm>
#include <string_view>

#include "sim/item_flow.h"

namespace tilewise {
namespace {

constexpr int64_t kUnresolvedNodes = 3;  // cast, scale, tuple
constexpr int64_t kMostPasses = 16;      // further ops work on small parts

// Ops on images that work longer on each pixel than a pass at the host's rate of
// casts and arithmetic. How many passes they are like is assumed from what they
// compute: conversions to HSV and back, a bilinear sample for each pixel, the
// histogram and the table of each channel, a window around each pixel, a JPEG
// encoded and decoded.
struct SlowOp {
  std::string_view name;  // how the last part of the call's name begins or ends
  double passes;
};
constexpr SlowOp kSlowOps[] = {
    {"hue", 7},
    {"saturation", 7},
    {"hsv_in_yiq", 7},
    {"rgb_to_hsv", 4},
    {"hsv_to_rgb", 4},
    {"contrast", 3},
    {"resize", 4},
    {"crop_and_resize", 4},
    {"rotate", 15},
    {"transform", 15},
    {"translate", 15},
    {"translate_xy", 15},
    {"shear_x", 15},
    {"shear_y", 15},
    {"dense_image_warp", 20},
    {"equalize", 25},
    {"sharpness", 10},
    {"mean_filter2d", 10},
    {"gaussian_filter2d", 20},
    {"median_filter2d", 30},
    {"jpeg_quality", 40},
};

// Passes of an op beyond its first.
double FurtherPasses(std::string_view call) {
  const std::string_view name = call.substr(call.rfind('.') + 1);
  for (const SlowOp& op : kSlowOps) {
    if (!name.ends_with(op.name)) continue;
    const std::string_view before = name.substr(0, name.size() - op.name.size());
    if (before.empty() || before.ends_with('_')) return op.passes - 1;
  }
  return 0;
}

double Parallelism(const Count& calls, const Host& host) {
  const auto cores = static_cast<double>(host.vcpus);
  if (calls.kind == Count::Kind::kAutotune) return cores;
  if (calls.kind != Count::Kind::kValue) return 1;
  return std::clamp(static_cast<double>(calls.value), 1.0, cores);
}

bool ReadsFilesInside(const Stage& stage, const Pipeline& pipeline) {
  return !pipeline.stages.empty() && pipeline.stages.front().kind == StageKind::kListFiles &&
         (stage.kind == StageKind::kInterleave || stage.kind == StageKind::kFlatMap);
}

Seconds Read(double bytes, BytesPerSecond rate) { return {bytes / rate.value}; }

StageCost CostMap(const Stage& stage, const ItemFlow& flow, const Host& host) {
  const MapFunction& function = stage.function;
  const int64_t nodes = function.resolved ? function.nodes : kUnresolvedNodes;
  const double out = flow.bytes_after(stage);
  const double touched = std::max(flow.bytes(), out);
  auto passes = static_cast<double>(std::min(nodes, kMostPasses));
  for (const std::string& call : function.calls) passes += FurtherPasses(call);
  Seconds element = host.map_overhead + host.element_overhead * static_cast<double>(nodes) +
                    Read(passes * touched, host.elementwise_bandwidth);
  if (function.decodes) element += Read(out, host.decode_bandwidth);
  StageCost cost;
  cost.work = element * flow.elements();
  if (function.stateful) cost.wait = host.python_call * flow.elements();
  return cost;
}

// Files that a source reads side by side. TensorFlow Datasets: ReadConfig's cycle length.
double StreamsOf(const Stage& stage) {
  constexpr double kNamedDataset = 16;
  return stage.kind == StageKind::kNamedDataset ? kNamedDataset : 1;
}

StageCost CostSource(const Stage& stage, const ItemFlow& flow, const Host& host) {
  StageCost cost;
  cost.work = host.element_overhead * flow.elements();
  const double bytes = flow.total_bytes();
  switch (stage.kind) {
    case StageKind::kFromTensorSlices:
      cost.work += Read(bytes, host.memory_copy_bandwidth);
      break;
    case StageKind::kFromGenerator:
      cost.work += host.python_call * flow.elements() + Read(bytes, host.memory_copy_bandwidth);
      break;
    case StageKind::kRecordFiles:
    case StageKind::kNamedDataset:
    case StageKind::kUnknownSource:
      cost.work += Read(bytes, host.memory_copy_bandwidth);
      cost.wait = Read(bytes, host.storage_bandwidth) / StreamsOf(stage);
      break;
    case StageKind::kListFiles:
      cost.work = {};  // one element a file
      break;
    default:
      break;
  }
  return cost;
}

StageCost CostTransformation(const Stage& stage, const ItemFlow& flow, const Host& host) {
  StageCost cost;
  cost.work = host.element_overhead * flow.elements();
  switch (stage.kind) {
    case StageKind::kMap:
    case StageKind::kFilter:
      return CostMap(stage, flow, host);
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      cost.work += Read(flow.total_bytes(), host.memory_copy_bandwidth);
      break;
    case StageKind::kUnbatch:
      cost.work += host.element_overhead * std::max(1.0, flow.total_bytes() / 4096);
      break;
    case StageKind::kShuffle:
      cost.work = cost.work * 2;  // into the buffer and out of it
      break;
    case StageKind::kCache:
      if (stage.cache_to_file) {
        cost.wait = Read(flow.total_bytes(), host.storage_bandwidth);
      }
      break;
    case StageKind::kWithOptions:
      cost.work = {};
      break;
    default:
      break;
  }
  return cost;
}

StageCost CostStage(const Stage& stage, const Pipeline& pipeline, const ItemFlow& flow,
                    const Host& host) {
  StageCost cost =
      IsSource(stage.kind) ? CostSource(stage, flow, host) : CostTransformation(stage, flow, host);
  if (ReadsFilesInside(stage, pipeline)) {
    cost.wait += Read(flow.total_bytes(), host.storage_bandwidth);
  }
  // Python runs one call at a time whatever the stage asks for.
  const bool locked = stage.function.stateful;
  cost.parallelism = locked ? 1 : Parallelism(stage.parallel_calls, host);
  cost.asynchronous = stage.kind == StageKind::kPrefetch || stage.parallel_calls.present();
  return cost;
}

}  // namespace

std::vector<StageCost> CostStages(const Pipeline& pipeline, int64_t global_batch,
                                  Bytes bytes_per_example, const Host& host, CacheState caches) {
  std::vector<StageCost> costs;
  ItemFlow flow(pipeline, std::max<int64_t>(global_batch, 1), bytes_per_example);
  for (const Stage& stage : pipeline.stages) {
    if (stage.kind == StageKind::kCache && caches == CacheState::kWarm) {
      for (StageCost& above : costs) above.work = above.wait = {};
    }
    costs.push_back(CostStage(stage, pipeline, flow, host));
    flow.Pass(stage);
  }
  return costs;
}

}  // namespace tilewise
