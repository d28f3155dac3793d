// From the words of a table to stages with sizes: what is stored gives the bytes
// that reach the first op, and each op tells the size of what it leaves.

#include "accuracy/pipeline_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "accuracy/csv.h"
#include "accuracy/pipeline_ops.h"
#include "accuracy/text_match.h"
#include "base/check.h"
#include "hardware/target.h"

namespace tilewise {
namespace {

constexpr double kMegabyte = 1e6;

Count Calls(int64_t value) { return {Count::Kind::kValue, value}; }
constexpr Count kAuto = {Count::Kind::kAutotune, 0};

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

ChainStage StageOf(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {Trimmed(text), ""};
  if (open == 0) return {Trimmed(text), ""};
  return {Trimmed(text.substr(0, open)), Trimmed(text.substr(open + 1, text.size() - open - 2))};
}

// Assumes a server of today where the row's own words say nothing of the machine.
absl::StatusOr<Host> HostOf(const PipelineText& text, std::vector<std::string>& assumed) {
  TW_ASSIGN_OR_RETURN(Host host, FindHost("tpu-vm"));
  const std::string both = text.host + "; " + text.framework;
  const Cpu* cpu = FindCpu(both);
  if (cpu == nullptr) {
    assumed.emplace_back("cores like the reference core");
    cpu = &PublishedPipelineCosts().cpus.front();
  }
  host.cpu = *cpu;
  const TextMatch words(text.host);
  const auto vcpus = words.First({"([0-9]+) vcpu", "([0-9]+) cpus", "-standard-([0-9]+)"});
  const auto cores = words.First({"([0-9]+)-core", "([0-9]+) xeon cores", "([0-9]+) cores"});
  if (vcpus) {
    host.vcpus = *vcpus;
  } else if (cores) {
    host.vcpus = std::llround(static_cast<double>(*cores) * host.cpu.vcpus_per_core);
  } else if (!TextMatch(text.host).Has("one core")) {
    assumed.emplace_back("16 vCPUs");
    host.vcpus = 16;
  }
  if (const auto ram = words.Find("([0-9.]+) gb (?:ddr|ram)")) {
    host.ram = Bytes{std::llround((*ram)[0] * 1e9)};
  }
  // A core with busy neighbours.
  if (TextMatch(text.parallelism).Find("all ([0-9]+) busy")) {
    host.cpu.core_time /= PublishedPipelineCosts().busy_core_share;
  }
  return host;
}

// Whether memory keeps what an earlier epoch has read. Loose files are listed in
// another order in each epoch: the first of them are others.
bool IsInPageCache(const PipelineText& text, bool loose_files, const Host& host) {
  if (text.conditions.find("page cache") == std::string::npos ||
      text.conditions.find("cold") != std::string::npos) {
    return false;
  }
  const auto set = TextMatch(text.dataset).Find("([0-9.]+) gb(?: flac)?(?:;|$)");
  return !loose_files || !set || (*set)[0] * 1e9 <= static_cast<double>(host.ram.value);
}

const Store* StoreOf(const std::string& words, const PipelineText& text) {
  const Store* store = FindStore(words);
  const bool of_tpu_vm = store != nullptr && store->name == "gcs" &&
                         FindCpu(text.host) != nullptr &&
                         FindCpu(text.host)->name.starts_with("tpu-");
  return of_tpu_vm ? FindStore("gcs-tpu-vm") : store;
}

// The store that a source or its host names.
void ReadStore(const std::string& arguments, const PipelineText& text, bool loose_files, Host& host,
               std::vector<std::string>& assumed) {
  const TextMatch words(arguments);
  if (const auto limit = words.Find("([0-9.]+) ?mb/s")) {
    host.store.stream = host.store.total = {(*limit)[0] * kMegabyte};
    host.store.file = {};
    return;
  }
  const bool cached = IsInPageCache(text, loose_files, host);
  const Store* store = cached ? FindStore("page cache") : StoreOf(arguments, text);
  for (const std::string* place : {&text.dataset, &text.host}) {
    if (store == nullptr) store = StoreOf(*place, text);
  }
  if (store == nullptr) {
    assumed.emplace_back("data on a local SSD");
    store = FindStore("ssd");
  }
  TW_CHECK(store != nullptr);
  host.store = *store;
}

class ChainReader {
 public:
  ChainReader(const PipelineText& text, const ChainParallelism& parallelism)
      : text_(text), parallelism_(parallelism) {}

  absl::StatusOr<ChainRun> Read() {
    TW_ASSIGN_OR_RETURN(run().host, HostOf(text_, out_.assumed));
    TW_ASSIGN_OR_RETURN(item_, ItemOf(text_));
    const std::vector<ChainStage> stages = SplitChain(text_.stages);
    if (stages.empty()) return InvalidInput("its row has no stages");
    run().batch = BatchOf(stages);
    for (const ChainStage& stage : stages) TW_RETURN_IF_ERROR(Add(stage));
    CloseMap(true);
    if (parallelism_.threads > 0) {
      run().pipeline.options.push_back({.name = "threading.private_threadpool_size",
                                        .value = std::to_string(parallelism_.threads)});
    }
    if (parallelism_.prefetches) Append(StageKind::kPrefetch);
    run().pipeline.item_bytes = Bytes{std::llround(std::max(1.0, bytes()))};
    return std::move(out_);
  }

 private:
  PipelineRun& run() { return out_.run; }
  double bytes() const { return item_.bytes; }

  int64_t BatchOf(const std::vector<ChainStage>& stages) const {
    for (const ChainStage& stage : stages) {
      if (stage.name != "batch") continue;
      const TextMatch words(stage.arguments);
      if (const auto both = words.Find("([0-9]+)x([0-9]+)")) {
        return static_cast<int64_t>((*both)[0] * (*both)[1]);
      }
      if (const auto one = words.First({"([0-9]+)"})) return *one;
    }
    const std::string both = text_.conditions + "; " + text_.dataset;
    return TextMatch(both).First({"batch ([0-9]+)", "batch of ([0-9]+)"}).value_or(1);
  }

  Stage& Append(StageKind kind) {
    Stage& stage = run().pipeline.stages.emplace_back();
    stage.kind = kind;
    return stage;
  }

  void ReadFrom(const std::string& arguments, bool loose_files) {
    ReadStore(arguments, text_, loose_files, run().host, out_.assumed);
  }

  // The count for a run over some of the files of a set, all of which are listed first.
  void ReadStart() {
    const TextMatch words(text_.dataset);
    const auto items = words.First({"first ([0-9]+) items"});
    const auto files = words.First({"([0-9]+) (?:jpeg|jpg|png|images|files|clips)"});
    if (!items || !files) return;
    run().items = static_cast<double>(*items);
    run().start = run().host.store.list * static_cast<double>(*files);
  }

  // Whether readers hand out records in the order of their files: as the interleave that the chain
  // shows does by itself, and TFRecordDataset with a number of parallel reads, "tfrecord,8".
  bool KeepsOrder() const {
    const TextMatch words(text_.stages + "; " + text_.parallelism + "; " + text_.conditions);
    if (words.HasAny(
            {"sloppy", "any order", "out of order", "out-of-order", "deterministic=false"})) {
      return false;
    }
    return words.First({"tfrecord,([0-9]+)[,)]"}) || words.Has("tfrecord,n,") ||
           words.HasAny({">interleave(", "in order", "in-order", "deterministic=true"});
  }

  // What flows when the chain starts with something else than a source.
  absl::Status EnsureSource(const ChainStage& first) {
    if (!run().pipeline.stages.empty()) return absl::OkStatus();
    if (item_.bytes <= 0) return InvalidInput("the size of its items is not told");
    if (first.name == "read_file") ReadFrom(first.arguments, true);
    Append(StageKind::kRange);
    StartAt(item_.bytes);
    return absl::OkStatus();
  }

  void StartAt(double stored) {
    item_.bytes = std::max(1.0, stored);
    out_.item_bytes = item_.bytes;
    SetElement(run().pipeline.stages.back());
    run().pipeline.source_item_bytes = Bytes{std::llround(item_.bytes)};
    map_start_ = item_.bytes;
  }

  void SetElement(Stage& stage) const {
    if (!item_.decoded) return;
    const int64_t numbers = std::llround(item_.numbers);
    stage.element = {
        {Leaf{.dtype = item_.number_bytes == 4 ? "float32" : "uint8", .dims = {numbers}}}};
  }

  absl::Status AddSource(const ChainStage& stage) {
    ReadFrom(stage.arguments, stage.name == "list");
    if (const auto larger = TextMatch(stage.arguments).Find("([0-9.]+)x bytes")) {
      item_.bytes *= (*larger)[0];
    }
    const bool files = stage.name == "list" || stage.arguments.starts_with("file");
    Append(files ? StageKind::kListFiles : StageKind::kRecordFiles);
    if (files) ReadStart();
    if (!files) {
      run().pipeline.stages.back().parallel_calls = parallelism_.readers;
      run().pipeline.stages.back().deterministic = KeepsOrder();
    }
    if (item_.bytes <= 0) return InvalidInput("the size of its items is not told");
    StartAt(item_.bytes);
    if (parallelism_.caches) {
      out_.assumed.emplace_back("a cache of what is read");
      Append(StageKind::kCache);
    }
    if (files && stage.name == "read") return AddOp({"read_file", stage.arguments});
    return absl::OkStatus();
  }

  absl::Status Add(const ChainStage& stage) {
    const std::string& name = stage.name;
    if (name == "read" || name == "list") return AddSource(stage);
    if (name == "mem" || name == "range" || name == "load") {
      Append(StageKind::kRange);
      StartAt(item_.bytes);
      return absl::OkStatus();
    }
    TW_RETURN_IF_ERROR(EnsureSource(stage));
    if (name == "batch" || name == "prefetch" || name == "shuffle" || name == "cache" ||
        name == "repeat") {
      return AddBuffer(stage);
    }
    if (name == "for" || name == "step" || name == "sleep" || name == "transfer") {
      return AddConsumer(stage);
    }
    if (name == "ipc") return AddHandOver();
    return AddOp(stage);
  }

  absl::Status AddBuffer(const ChainStage& stage) {
    CloseMap(false);
    if (stage.name == "cache") {
      const bool filling = stage.arguments.find("filled") != std::string::npos;
      if (filling) run().caches = CacheState::kCold;
      const bool stored = FindStore(stage.arguments) != nullptr;
      if (stored) {
        ReadFrom(stage.arguments, false);
        run().pipeline.stages.clear();
        Append(StageKind::kRecordFiles).parallel_calls = parallelism_.readers;
        StartAt(item_.bytes);
      } else {
        Append(StageKind::kCache);
      }
      return absl::OkStatus();
    }
    const StageKind kind = stage.name == "batch"      ? StageKind::kBatch
                           : stage.name == "shuffle"  ? StageKind::kShuffle
                           : stage.name == "prefetch" ? StageKind::kPrefetch
                                                      : StageKind::kRepeat;
    Append(kind);
    if (kind == StageKind::kBatch) batched_ = true;
    return absl::OkStatus();
  }

  absl::Status AddConsumer(const ChainStage& stage) {
    CloseMap(false);
    const TextMatch words(text_.conditions);
    const auto batch = static_cast<double>(run().batch);
    if (stage.name == "for") {
      const double elements = batched_ ? 1 : batch;
      run().consumer =
          PublishedPipelineCosts().python_element * (elements * run().host.cpu.core_time);
    } else if (stage.name == "sleep") {
      const auto slept = words.Find("([0-9.]+) ms of sleep");
      if (!slept) return InvalidInput("how long it sleeps is not told");
      run().device = {(*slept)[0] * 1e-3};
    } else if (stage.name == "step") {
      if (const auto rate = words.Find("([0-9.]+) items/s with synthetic")) {
        run().device = {batch / (*rate)[0]};
      } else {
        out_.assumed.emplace_back("a model that does not bind");
      }
    }
    return absl::OkStatus();
  }

  // Adds the way of an element from a worker's process to the one that asks.
  absl::Status AddHandOver() {
    TW_RETURN_IF_ERROR(AddOp({"ipc_send", ""}));
    CloseMap(false);
    TW_RETURN_IF_ERROR(AddOp({"ipc_receive", ""}));
    CloseMap(true);
    return absl::OkStatus();
  }

  absl::Status AddOp(const ChainStage& stage) {
    // "map(read_file gcs+decode_jpeg)"
    if (stage.arguments.starts_with("read_file ")) ReadFrom(stage.arguments, true);
    TW_ASSIGN_OR_RETURN(const std::vector<std::string> calls,
                        ApplyOp(stage, text_.framework, item_));
    for (const std::string& call : calls) {
      if (FindOpCost(call) == nullptr) {
        return InvalidInput(fmt::format("no cost of '{}' is known", stage.name));
      }
      map_.decodes = map_.decodes || call.find(".decode_") != std::string::npos;
      map_.calls.push_back(call);
      map_.elements_after.push_back(item_.decoded ? item_.numbers : 0);
    }
    return absl::OkStatus();
  }

  // Ends the function that the ops so far make up; in line: on the caller's
  // thread, whatever the pipeline's parallelism.
  void CloseMap(bool in_line) {
    if (map_.calls.empty()) return;
    Stage& stage = Append(StageKind::kMap);
    stage.function = std::exchange(map_, MapFunction{});
    stage.function.resolved = true;
    stage.function.nodes = static_cast<int64_t>(stage.function.calls.size());
    stage.function.growth = item_.bytes / map_start_;
    SetElement(stage);
    const bool waits = in_line && stage.function.calls.front().ends_with("ipc_receive");
    if (!waits) stage.parallel_calls = parallelism_.calls;
    map_start_ = item_.bytes;
  }

  const PipelineText& text_;
  const ChainParallelism& parallelism_;
  ChainRun out_;
  ChainItem item_;
  MapFunction map_;
  double map_start_ = 1;  // bytes of an item where the open function begins
  bool batched_ = false;
};

}  // namespace

std::optional<double> NumberBefore(std::string_view text, std::string_view unit) {
  const auto found = TextMatch(text).Find(fmt::format("([0-9.]+) ?{}", unit));
  return found ? std::optional((*found)[0]) : std::nullopt;
}

std::vector<ChainStage> SplitChain(std::string_view text) {
  std::vector<ChainStage> stages;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char letter = i < text.size() ? text[i] : '>';
    if (letter == '(') ++depth;
    if (letter == ')') --depth;
    if (letter != '>' || (depth > 0 && i < text.size())) continue;
    const std::string_view part = text.substr(begin, i - begin);
    if (!Trimmed(part).empty()) stages.push_back(StageOf(Trimmed(part)));
    begin = i + 1;
  }
  return stages;
}

absl::StatusOr<ChainParallelism> ParseParallelism(const PipelineText& text) {
  const TextMatch words(text.parallelism);
  const auto written = TextMatch(text.stages).First({"interleave=([0-9]+)", "tfrecord,([0-9]+)"});
  ChainParallelism both;
  if (const auto workers = words.Find("num_workers=([0-9]+)")) {
    const auto count = static_cast<int64_t>((*workers)[0]);
    if (count > 0) both.calls = both.readers = Calls(count);
    return both;
  }
  const bool in_line =
      words.HasAny({"parallel=1,", "per core", "1 thread"}) && !words.HasAny({"threads"});
  if (in_line || words.text() == "1") return both;
  const auto threads = words.First({"([0-9]+) threads:", "([0-9]+) threads"});
  if (threads && !words.Has("autotune")) {
    both.calls = both.readers = Calls(*threads);
    both.threads = *threads;
    return both;
  }
  if (const auto readers =
          words.First({"([0-9]+) jobs", "([0-9]+)\\+? readers", "read parallelism ([0-9]+)"})) {
    both.readers = Calls(*readers);
    // Jobs of a benchmark of storage do all of their work themselves.
    both.calls = words.Has("jobs") ? both.readers : kAuto;
    both.prefetches = true;
    return both;
  }
  if (!words.HasAny({"auto", "tuned", "lp-chosen", "parallel=96", "default", "cores for"})) {
    return InvalidInput("how parallel it is is not told");
  }
  both.calls = kAuto;
  both.readers = written && words.Has("auto") ? Calls(*written) : kAuto;
  both.prefetches = true;
  both.caches = words.Has("a cache");
  return both;
}

absl::StatusOr<ChainRun> ReadChain(const PipelineText& text, const ChainParallelism& parallelism) {
  return ChainReader(text, parallelism).Read();
}

}  // namespace tilewise
