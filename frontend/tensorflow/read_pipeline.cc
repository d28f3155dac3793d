// Follows datasets from the one that is iterated back to their source.

#include "frontend/tensorflow/read_pipeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/dataset_operands.h"
#include "frontend/tensorflow/dataset_ops.h"
#include "frontend/tensorflow/map_function.h"
#include "frontend/tensorflow/once_per_op.h"
#include "frontend/tensorflow/pipeline_evidence.h"
#include "frontend/tensorflow/trip_count.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kAutotune = -1;
constexpr size_t kMaxPipelines = 64;
constexpr size_t kMaxStages = 1000;  // of one pipeline

class PipelineReader {
 public:
  PipelineReader(const GraphDef& graph, const GraphIndex& index, const NodeLocations& places)
      : graph_(graph), index_(index), operands_(index), places_(places) {}

  // The pipeline that ends in a dataset.
  Pipeline Read(int32_t last) const {
    Pipeline pipeline;
    pipeline.name = index_.node(last).name;
    pipeline.location = At(last);
    std::set<int32_t> seen;
    for (int32_t node = last;
         node >= 0 && seen.insert(node).second && pipeline.stages.size() < kMaxStages;
         node = InputDataset(node)) {
      if (!IsWrapper(index_.node(node).op)) AddStages(node, pipeline);
      ReadSettings(node, pipeline);
      if (InputDataset(node) < 0) DescribeSource(node, pipeline);
    }
    std::reverse(pipeline.stages.begin(), pipeline.stages.end());
    std::reverse(pipeline.options.begin(), pipeline.options.end());
    if (pipeline.stages.empty() || !IsSource(pipeline.stages.front().kind)) {
      Stage source;
      source.kind = StageKind::kUnknownSource;
      source.text = index_.node(last).op;
      source.location = pipeline.location;
      pipeline.stages.insert(pipeline.stages.begin(), std::move(source));
    }
    DescribeItems(last, pipeline);
    // The earliest releases: the number has grown daily from 39 on.
    if (graph_.producer > 0 && graph_.producer < 39) {
      pipeline.runtime = RuntimeVersion{1, -1};
    }
    return pipeline;
  }

  // A queue that hands out batches; its dequeuing is the source.
  Pipeline ReadQueue(int32_t node) const {
    Pipeline pipeline = FedBy(node, StageKind::kQueue);
    pipeline.stages[0].amount = operands_.CountAt(node, 1);
    return pipeline;
  }

  // An iterator whose dataset is not in the file.
  Pipeline ReadIterator(int32_t node) const {
    Pipeline pipeline = FedBy(node, StageKind::kUnknownSource);
    DescribeItems(node, pipeline);
    return pipeline;
  }

 private:
  Pipeline FedBy(int32_t node, StageKind kind) const {
    Pipeline pipeline;
    pipeline.name = index_.node(node).name;
    pipeline.location = At(node);
    Stage& source = pipeline.stages.emplace_back();
    source.kind = kind;
    source.text = index_.node(node).op;
    source.location = pipeline.location;
    return pipeline;
  }

  Location At(int32_t node) const {
    const FunctionDef* function = index_.function();
    return places_.Of(index_.node(node).name,
                      function == nullptr ? std::string_view() : function->name);
  }

  // The dataset a dataset is made from: its first operand that is one.
  int32_t InputDataset(int32_t node) const {
    for (const Edge& edge : index_.inputs(node)) {
      const Edge from = ThroughIdentities(index_, edge);
      if (from.node < 0 || index_.IsArgument(from.node)) continue;
      if (FindDatasetOp(index_.node(from.node).op) == nullptr) continue;
      // Operand 0 of a dataset that chooses between others only says which.
      if (index_.node(node).op.find("DirectedInterleave") != std::string_view::npos &&
          edge == index_.inputs(node).front()) {
        continue;
      }
      return from.node;
    }
    return -1;
  }

  void AddStages(int32_t node, Pipeline& pipeline) const {
    const NodeDef& def = index_.node(node);
    const DatasetOp& op = *FindDatasetOp(def.op);
    Stage stage;
    stage.kind = op.kind;
    stage.text = def.op;
    stage.location = At(node);
    stage.amount = operands_.CountAt(node, op.amount);
    stage.parallel_calls = operands_.CountAt(node, op.parallel_calls);
    const auto drops = operands_.Integer(operands_.At(node, op.drop_remainder));
    if (drops) stage.drop_remainder = *drops != 0;
    Refine(node, stage);
    stage.element = LeavesOf(def);
    if (IsSource(stage.kind)) ReadPaths(node, stage);
    if (def.op.find("MapAndBatch") != std::string_view::npos) {
      Stage batch = stage;
      batch.function = {};
      batch.parallel_calls = {};
      pipeline.stages.push_back(std::move(batch));
      stage.kind = StageKind::kMap;
      stage.amount = {};
      stage.drop_remainder.reset();
    } else if (def.op.find("ShuffleAndRepeat") != std::string_view::npos) {
      Stage repeat;
      repeat.kind = StageKind::kRepeat;
      repeat.text = def.op;
      repeat.location = stage.location;
      repeat.amount = operands_.CountAt(node, 4);
      if (repeat.amount.is(-1)) repeat.amount = {};
      pipeline.stages.push_back(std::move(repeat));
    }
    pipeline.stages.push_back(std::move(stage));
  }

  void Refine(int32_t node, Stage& stage) const {
    const NodeDef& def = index_.node(node);
    for (const std::string_view name : {"f", "predicate"}) {
      const auto function = AttrFunction(def.attrs, name);
      if (!function) continue;
      stage.function = Describe(function->name);
      const bool nested = stage.kind == StageKind::kFlatMap || stage.kind == StageKind::kInterleave;
      if (nested) DescribeInner(graph_, function->name, stage);
    }
    if (def.op.starts_with("ParseExample")) {
      stage.function.name = "parse_example";
      stage.function.resolved = true;
      stage.function.decodes = true;
      stage.function.nodes = 1;
      stage.function.calls = {"tf.raw_ops." + std::string(def.op)};
    }
    if (stage.function.resolved) stage.function.growth = Growth(node);
    const bool tunes = stage.kind == StageKind::kPrefetch && stage.amount.is(kAutotune);
    if (tunes) stage.amount = {Count::Kind::kAutotune, 0};
    if (stage.parallel_calls.is(kAutotune)) {
      stage.parallel_calls = {Count::Kind::kAutotune, 0};
    }
    // Endless.
    if (stage.kind == StageKind::kRepeat && stage.amount.is(-1)) {
      stage.amount = {};
    }
    const auto reshuffles = AttrBool(def.attrs, "reshuffle_each_iteration");
    if (reshuffles) stage.reshuffles = *reshuffles;
    const auto deterministic = AttrString(def.attrs, "deterministic");
    if (deterministic && *deterministic != "default") {
      stage.deterministic = *deterministic == "true";
    }
    if (stage.kind == StageKind::kShuffle) stage.seeded = Seeded(node);
    if (def.op.ends_with("ParallelInterleaveDataset")) {
      const auto loose = operands_.Integer(operands_.At(node, -3));
      if (loose) stage.deterministic = *loose == 0;
    }
    const auto sloppy = AttrBool(def.attrs, "sloppy");
    if (sloppy && *sloppy) stage.deterministic = false;
    if (stage.kind == StageKind::kCache) {
      const auto file = operands_.At(node, 1);
      const auto name = file ? operands_.Constant(*file) : std::nullopt;
      stage.cache_to_file = name && !name->strings.empty() && !name->strings.front().empty();
    }
  }

  // Constant names of files, the first operand of what reads them.
  void ReadPaths(int32_t node, Stage& stage) const {
    const bool may = stage.kind == StageKind::kRecordFiles || stage.kind == StageKind::kListFiles ||
                     stage.kind == StageKind::kFromTensorSlices;
    if (!may) return;
    const auto edge = operands_.At(node, 0);
    const auto tensor = edge ? operands_.Constant(*edge) : std::nullopt;
    if (!tensor || tensor->strings.empty()) return;
    bool pattern = stage.kind == StageKind::kListFiles;
    stage.paths.reserve(tensor->strings.size());
    for (const std::string_view path : tensor->strings) {
      stage.paths.emplace_back(path);
      pattern = pattern || path.find_first_of("*?[") != std::string_view::npos;
    }
    int64_t files = 1;
    for (const int64_t dim : tensor->shape.dims) files *= std::max<int64_t>(dim, 0);
    if (!pattern && files > 0 && files < (1 << 24)) stage.files = files;
  }

  // Options, and the wrappers that options of earlier versions became.
  void ReadSettings(int32_t node, Pipeline& pipeline) const {
    const NodeDef& def = index_.node(node);
    if (def.op == "OptionsDataset") {
      const auto options = AttrString(def.attrs, "serialized_options");
      if (options) AddOptions(*options, At(node), pipeline);
    } else if (def.op.ends_with("MaxIntraOpParallelismDataset")) {
      const auto threads = operands_.Integer(operands_.At(node, 1));
      if (!threads) return;
      pipeline.options.push_back(
          {"threading.max_intra_op_parallelism", std::to_string(*threads), At(node), {}});
    }
  }

  // A seed that is not zero: one order is wanted.
  bool Seeded(int32_t node) const {
    const auto first = operands_.Integer(operands_.At(node, 2));
    const auto second = operands_.Integer(operands_.At(node, 3));
    return first.value_or(0) != 0 || second.value_or(0) != 0;
  }

  const MapFunction& Describe(std::string_view name) const {
    const auto [found, added] = functions_.try_emplace(name);
    if (added) found->second = DescribeFunction(graph_, name);
    return found->second;
  }

  void DescribeSource(int32_t node, Pipeline& pipeline) const {
    const NodeDef& def = index_.node(node);
    if (def.op == "RangeDataset") {
      const auto start = operands_.Integer(operands_.At(node, 0));
      const auto stop = operands_.Integer(operands_.At(node, 1));
      const auto step = operands_.Integer(operands_.At(node, 2));
      if (start && stop && step && *step > 0 && *stop > *start) {
        pipeline.source_items = (*stop - *start + *step - 1) / *step;
      }
    } else if (def.op == "TensorSliceDataset") {
      const auto edge = operands_.At(node, 0);
      const auto tensor = edge ? operands_.Constant(*edge) : std::nullopt;
      if (tensor && !tensor->shape.dims.empty() && tensor->shape.dims[0] > 0) {
        pipeline.source_items = tensor->shape.dims[0];
      }
    }
    const auto bytes = ItemBytes(index_.node(node), 0);
    if (bytes) pipeline.source_item_bytes = tilewise::Bytes{*bytes};
  }

  std::optional<double> Growth(int32_t node) const {
    const int32_t before = InputDataset(node);
    if (before < 0) return std::nullopt;
    const auto in = ItemBytes(index_.node(before), 0);
    const auto out = ItemBytes(index_.node(node), 0);
    if (!in || !out || *in == 0) return std::nullopt;
    return static_cast<double>(*out) / static_cast<double>(*in);
  }

  void DescribeItems(int32_t last, Pipeline& pipeline) const {
    size_t batches = 0;
    for (const Stage& stage : pipeline.stages) {
      const bool batch = stage.kind == StageKind::kBatch || stage.kind == StageKind::kPaddedBatch;
      if (batch) ++batches;
      if (stage.kind == StageKind::kUnbatch && batches > 0) --batches;
    }
    const auto bytes = ItemBytes(index_.node(last), batches);
    if (bytes) pipeline.item_bytes = tilewise::Bytes{*bytes};
  }

  const GraphDef& graph_;
  const GraphIndex& index_;
  const DatasetOperands operands_;
  const NodeLocations& places_;
  mutable std::map<std::string_view, MapFunction> functions_;
};

bool IsDataset(std::string_view op) { return FindDatasetOp(op) != nullptr; }

// Appends the pipelines of one graph or function.
void ReadFrom(const GraphDef& graph, const GraphIndex& index, const NodeLocations& places,
              std::vector<Pipeline>& pipelines) {
  std::vector<bool> read(index.size());
  std::vector<int32_t> datasets;
  std::vector<int32_t> iterators;
  std::vector<int32_t> queues;
  OncePerOp<bool> is_dataset(IsDataset);
  for (int32_t i = 0; i < index.size(); ++i) {
    const std::string_view op = index.node(i).op;
    if (op.find("Iterator") != std::string_view::npos &&
        op.find("GetNext") != std::string_view::npos) {
      iterators.push_back(i);
    }
    if (op.starts_with("QueueDequeueMany") || op.starts_with("QueueDequeueUpTo")) {
      queues.push_back(i);
    }
    if (!is_dataset(op)) continue;
    datasets.push_back(i);
    for (const Edge& edge : index.inputs(i)) {
      const Edge from = ThroughIdentities(index, edge);
      if (from.node >= 0 && !index.IsArgument(from.node)) {
        read[from.node] = true;
      }
    }
  }
  const PipelineReader reader(graph, index, places);
  for (const int32_t dataset : datasets) {
    if (read[dataset]) continue;
    if (pipelines.size() == kMaxPipelines) return;
    pipelines.push_back(reader.Read(dataset));
  }
  if (!datasets.empty() || !pipelines.empty()) return;
  for (const int32_t iterator : iterators) {
    if (pipelines.size() == kMaxPipelines) return;
    pipelines.push_back(reader.ReadIterator(iterator));
  }
  if (!iterators.empty()) return;
  for (const int32_t queue : queues) {
    if (pipelines.size() == kMaxPipelines) return;
    pipelines.push_back(reader.ReadQueue(queue));
  }
}

bool HasDatasets(std::span<const NodeDef> nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const NodeDef& node) { return IsDataset(node.op); });
}

// Functions that stages of datasets call: what is in them belongs to those.
void CollectCallees(std::span<const NodeDef> nodes, std::set<std::string_view>& callees) {
  OncePerOp<bool> is_dataset(IsDataset);
  for (const NodeDef& node : nodes) {
    if (!is_dataset(node.op)) continue;
    for (const std::string_view name : {"f", "predicate"}) {
      const auto function = AttrFunction(node.attrs, name);
      if (function) callees.insert(function->name);
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<Pipeline>> ReadPipelines(const GraphDef& graph, const GraphIndex& index,
                                                    const NodeLocations& places) {
  std::vector<Pipeline> pipelines;
  std::set<std::string_view> callees;
  CollectCallees(graph.nodes, callees);
  for (const FunctionDef& function : graph.functions) {
    CollectCallees(function.nodes, callees);
  }
  for (const FunctionDef& function : graph.functions) {
    if (!HasDatasets(function.nodes) || callees.contains(function.name)) {
      continue;
    }
    TW_ASSIGN_OR_RETURN(const GraphIndex body, GraphIndex::Make(graph, &function));
    ReadFrom(graph, body, places, pipelines);
  }
  ReadFrom(graph, index, places, pipelines);
  return pipelines;
}

}  // namespace tilewise::tf
