// Costs of tf.data stages: an iterator step per element, a call per map, the ops
// of its function, bytes read and copied.

#include "sim/stage_cost.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/check.h"
#include "pipeline/chain.h"
#include "sim/item_flow.h"
#include "sim/map_cost.h"

namespace tilewise {
namespace {

constexpr int64_t kMostThreads = 1 << 16;

double Parallelism(const Count& calls, int64_t threads) {
  const auto most = static_cast<double>(threads);
  if (calls.kind == Count::Kind::kAutotune) return most;
  if (calls.kind != Count::Kind::kValue) return 1;
  return std::clamp(static_cast<double>(calls.value), 1.0, most);
}

bool ReadsFilesInside(const Stage& stage, const Pipeline& pipeline) {
  return !pipeline.stages.empty() && pipeline.stages.front().kind == StageKind::kListFiles &&
         (stage.kind == StageKind::kInterleave || stage.kind == StageKind::kFlatMap);
}

Seconds Read(double bytes, BytesPerSecond rate) { return {bytes / rate.value}; }

// An iterator's step, for each of so many elements.
Seconds Steps(double elements, const Host& host) {
  return PublishedPipelineCosts().element * (host.cpu.core_time * elements);
}

Seconds PythonCalls(double elements, const Host& host) {
  return PublishedPipelineCosts().python_call * (host.cpu.core_time * elements);
}

// Records come one after another from files of many.
void ReadRecords(const ItemFlow& flow, const Host& host, double streams, StageCost& cost) {
  const OpCost* record = FindOpCost("tensorflow.read_record");
  TW_CHECK(record != nullptr);
  const double bytes = flow.total_bytes();
  cost.work +=
      (record->call * flow.elements() + record->per_input_byte * bytes) * host.cpu.core_time;
  cost.wait += Read(bytes, host.store.stream) / streams;
  cost.shared += Read(bytes, host.store.total);
}

// Whether the elements behind the stage are those before it. What a stage that a
// fix has moved was recorded with is not asked.
bool KeepsElements(StageKind kind) {
  switch (kind) {
    case StageKind::kFilter:
    case StageKind::kShuffle:
    case StageKind::kRepeat:
    case StageKind::kCache:
    case StageKind::kPrefetch:
    case StageKind::kTake:
    case StageKind::kSkip:
    case StageKind::kShard:
    case StageKind::kWithOptions:
      return true;
    default:
      return false;
  }
}

// `stage` is one of the pipeline's.
std::optional<double> NumbersBefore(const Stage& stage, const Pipeline& pipeline) {
  auto at = &stage - pipeline.stages.data();
  while (at > 0 && KeepsElements(pipeline.stages[at - 1].kind)) --at;
  return at > 0 ? NumbersOf(pipeline.stages[at - 1]) : std::nullopt;
}

MapElement ElementOf(const Stage& stage, const Pipeline& pipeline, const ItemFlow& flow) {
  return {.bytes_in = flow.bytes(),
          .bytes_out = flow.bytes_after(stage),
          .bytes_in_known = pipeline.source_item_bytes.has_value(),
          .numbers_in = NumbersBefore(stage, pipeline)};
}

StageCost CostMap(const Stage& stage, const Pipeline& pipeline, const ItemFlow& flow,
                  const Host& host) {
  MapCost map = CostMapFunction(stage, ElementOf(stage, pipeline, flow), host);
  StageCost cost;
  cost.work = map.work * flow.elements();
  cost.shared = map.shared * flow.elements();
  cost.wait = map.file * flow.elements();
  if (map.file > Seconds{}) {
    cost.shared = std::max(cost.shared, Read(flow.total_bytes(), host.store.total));
  }
  if (!PythonCall(stage.function).empty()) cost.wait += PythonCalls(flow.elements(), host);
  cost.unknown_ops = std::move(map.unknown_ops);
  return cost;
}

// Files that a source reads side by side. TensorFlow Datasets: ReadConfig's cycle length.
double StreamsOf(const Stage& stage) {
  constexpr double kNamedDataset = 16;
  return stage.kind == StageKind::kNamedDataset ? kNamedDataset : 1;
}

StageCost CostSource(const Stage& stage, const ItemFlow& flow, const Host& host) {
  StageCost cost;
  cost.work = Steps(flow.elements(), host);
  const double bytes = flow.total_bytes();
  switch (stage.kind) {
    case StageKind::kFromTensorSlices:
      cost.work += Read(bytes, host.memory_copy_bandwidth);
      break;
    case StageKind::kFromGenerator:
      cost.work += PythonCalls(flow.elements(), host) + Read(bytes, host.memory_copy_bandwidth);
      break;
    case StageKind::kRecordFiles:
    case StageKind::kNamedDataset:
    case StageKind::kUnknownSource:
      ReadRecords(flow, host, StreamsOf(stage), cost);
      break;
    case StageKind::kListFiles:
      cost.work = {};  // one element a file
      break;
    default:
      break;
  }
  return cost;
}

// Whether the host's memory keeps the files that were read from its disk. How large they are is
// not asked where the disk has no room for more.
bool StaysInMemory(const Pipeline& pipeline, const Host& host) {
  constexpr double kShareOfRam = 0.5;  // the rest is the program's
  const double bytes = BytesOfSource(pipeline).value_or(static_cast<double>(host.disk_size.value));
  return bytes <= kShareOfRam * static_cast<double>(host.ram.value);
}

// Files on the host's own disk are read from there in the first epoch, and from memory later.
Host WithStoreOf(const Pipeline& pipeline, Host host, CacheState caches) {
  if (host.store.name == kStatedStore || !ReadsOwnDisk(pipeline, host)) return host;
  const Store* memory = FindStore("page cache");
  const bool kept = caches == CacheState::kWarm && StaysInMemory(pipeline, host);
  host.store = kept && memory != nullptr ? *memory : host.disk;
  return host;
}

// A cache whose file lies where the data do, and not on the machine's own disk.
bool IsInStore(const Stage& cache) {
  return !cache.paths.empty() && IsRemotePath(cache.paths.front());
}

StageCost CostTransformation(const Stage& stage, const Pipeline& pipeline, const ItemFlow& flow,
                             const Host& host) {
  StageCost cost;
  cost.work = Steps(flow.elements(), host);
  switch (stage.kind) {
    case StageKind::kMap:
    case StageKind::kFilter:
      return CostMap(stage, pipeline, flow, host);
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      cost.work += Read(flow.total_bytes(), host.memory_copy_bandwidth);
      break;
    case StageKind::kUnbatch:
      cost.work += Steps(std::max(1.0, flow.total_bytes() / 4096), host);
      break;
    case StageKind::kShuffle:
      cost.work = cost.work * 2;  // into the buffer and out of it
      break;
    case StageKind::kCache:
      if (stage.cache_to_file) {
        const Store& store = IsInStore(stage) ? host.store : host.disk;
        cost.wait = Read(flow.total_bytes(), store.stream);
        cost.shared = Read(flow.total_bytes(), store.total);
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

// Returns the time to hand the elements that leave the stage to another thread.
Seconds HandOvers(const Stage& stage, const ItemFlow& flow, const Host& host) {
  const OpCost* op = FindOpCost("tensorflow.hand_over");
  TW_CHECK(op != nullptr);
  const bool batches = stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch;
  return op->call * (host.cpu.core_time * (batches ? 1 : flow.elements()));
}

// Readers of a store that fetches blocks, whose records are wanted in order: while one waits for
// the rest of its block, the others get no further than the records that tf.data lets them make
// ahead. Where those are a block, nobody waits for another.
bool WaitsInOrder(const Stage& stage, const Pipeline& pipeline, const ItemFlow& flow,
                  const Host& host) {
  constexpr double kMadeAhead = 2;
  const bool parallel = stage.parallel_calls.present() && !stage.parallel_calls.is(1);
  return host.store.reads_ahead.has_value() && parallel &&
         flow.bytes() * kMadeAhead < static_cast<double>(host.store.block.value) &&
         stage.deterministic.value_or(!pipeline.order_is_off());
}

// With all of them waiting for each other's blocks, N readers deliver what 1 + share * N do.
Seconds ReadInOrder(const ItemFlow& flow, const Host& host, double readers) {
  return Read(flow.total_bytes(), host.store.stream) /
         (1 + readers * host.store.reads_ahead.value_or(0));
}

// Costs a stage on one core, whatever the code says.
StageCost CostMeasured(Seconds per_example, const ItemFlow& flow) {
  StageCost cost;
  cost.work = per_example * flow.examples();
  return cost;
}

StageCost CostStage(const Stage& stage, const Pipeline& pipeline, const ItemFlow& flow,
                    const Host& host) {
  const bool reads = ReadsFilesInside(stage, pipeline);
  StageCost cost;
  if (stage.measured.per_example) {
    cost = CostMeasured(*stage.measured.per_example, flow);
  } else {
    cost = IsSource(stage.kind) ? CostSource(stage, flow, host)
                                : CostTransformation(stage, pipeline, flow, host);
    if (reads) ReadRecords(flow, host, 1, cost);
    const bool readers = reads || stage.kind == StageKind::kRecordFiles;
    if (readers && WaitsInOrder(stage, pipeline, flow, host)) {
      const double most = Parallelism(stage.parallel_calls, PoolThreads(pipeline, host));
      cost.shared = std::max(cost.shared, ReadInOrder(flow, host, most));
    }
  }
  // Python runs one call at a time whatever the stage asks for.
  const bool locked = !PythonCall(stage.function).empty();
  const bool rewritten = IsMadeParallel(pipeline, stage);
  const Count calls = rewritten ? Count{.kind = Count::Kind::kAutotune} : stage.parallel_calls;
  cost.parallelism = locked ? 1 : Parallelism(calls, PoolThreads(pipeline, host));
  const auto processes = static_cast<double>(pipeline.processes);
  cost.parallelism *= processes;
  // What a process takes of its own workers hinders no other.
  const bool takes = std::ranges::count(stage.function.calls, "tensorflow.ipc_receive") > 0;
  if (takes) cost.shared = cost.shared / processes;
  cost.asynchronous = stage.kind == StageKind::kPrefetch || calls.present();
  if (cost.asynchronous) cost.hand_over = HandOvers(stage, flow, host);
  return cost;
}

}  // namespace

bool ReadsOwnDisk(const Pipeline& pipeline, const Host& host) {
  // What stands in for a path that the program was not given.
  constexpr std::string_view kAssumed = "/tmp/";
  // Buckets that a machine has mounted.
  constexpr std::string_view kMounted = "/gcs/";
  // This is the part of its disk that the system and a download leave to a data set.
  constexpr double kShareOfDisk = 0.5;
  if (pipeline.stages.empty()) return false;
  if (pipeline.stages.front().kind == StageKind::kNamedDataset &&
      BytesOfSource(pipeline).value_or(0) >
          kShareOfDisk * static_cast<double>(host.disk_size.value)) {
    return false;
  }
  const std::vector<std::string>& paths = pipeline.stages.front().paths;
  return !paths.empty() && std::ranges::none_of(paths, [&](std::string_view path) {
    return path.empty() || IsRemotePath(path) || path.starts_with(kAssumed) ||
           path.starts_with(kMounted);
  });
}

int64_t PoolThreads(const Pipeline& pipeline, const Host& host) {
  for (const PipelineOption& option : pipeline.options) {
    if (!option.name.ends_with("private_threadpool_size")) continue;
    int64_t threads = 0;
    const char* end = option.value.data() + option.value.size();
    const auto read = std::from_chars(option.value.data(), end, threads);
    if (read.ec == std::errc() && read.ptr == end && threads > 0) {
      return std::min(threads, kMostThreads);
    }
  }
  return std::max<int64_t>(host.vcpus, 1);
}

MapCalls CostCallsOf(const Pipeline& pipeline, size_t stage, Bytes bytes_per_example,
                     const Host& host) {
  if (stage >= pipeline.stages.size()) return {};
  ItemFlow flow(pipeline, 1, bytes_per_example);
  for (size_t i = 0; i < stage; ++i) flow.Pass(pipeline.stages[i]);
  const Stage& at = pipeline.stages[stage];
  return CostCalls(at, ElementOf(at, pipeline, flow), host);
}

std::vector<StageCost> CostStages(const Pipeline& pipeline, int64_t global_batch,
                                  Bytes bytes_per_example, const Host& usual, CacheState caches) {
  const Host host = WithStoreOf(pipeline, usual, caches);
  std::vector<StageCost> costs;
  ItemFlow flow(pipeline, std::max<int64_t>(global_batch, 1), bytes_per_example);
  for (const Stage& stage : pipeline.stages) {
    if (stage.kind == StageKind::kCache && caches == CacheState::kWarm) {
      for (StageCost& above : costs) above.work = above.wait = above.shared = {};
    }
    costs.push_back(CostStage(stage, pipeline, flow, host));
    flow.Pass(stage);
  }
  return costs;
}

}  // namespace tilewise
