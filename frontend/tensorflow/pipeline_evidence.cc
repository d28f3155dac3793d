// Decodes options by the field numbers of tf.data's schema.

#include "frontend/tensorflow/pipeline_evidence.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/dataset_ops.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

constexpr size_t kMaxFunctions = 100;

struct Field {
  uint32_t number = 0;
  std::string_view name;
  bool flag = true;  // else a number
};
struct Group {
  uint32_t number = 0;  // 0: the options themselves
  std::string_view name;
  std::array<Field, 8> fields;
};

// The settings that rules look at, of dataset_options.proto.
constexpr auto kGroups = std::to_array<Group>({
    {0, "", {{{1, "deterministic"}, {4, "experimental_slack"}}}},
    {7, "autotune", {{{1, "enabled"}, {2, "cpu_budget", false}, {3, "ram_budget", false}}}},
    {3,
     "experimental_optimization",
     {{{1, "apply_default_optimizations"},
       {9, "map_and_batch_fusion"},
       {11, "map_fusion"},
       {12, "map_parallelization"},
       {15, "parallel_batch"},
       {17, "shuffle_and_repeat_fusion"},
       {19, "inject_prefetch"}}}},
    {5,
     "threading",
     {{{1, "max_intra_op_parallelism", false}, {2, "private_threadpool_size", false}}}},
});

void AddFields(std::string_view bytes, const Group& group, const Location& place,
               Pipeline& pipeline) {
  protozero::pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    const Field* field = nullptr;
    for (const Field& known : group.fields) {
      if (known.number == reader.tag()) field = &known;
    }
    const bool varint = reader.wire_type() == protozero::pbf_wire_type::varint;
    if (field == nullptr || !varint) {
      reader.skip();
      continue;
    }
    const int64_t value = reader.get_int64();
    const std::string name = group.name.empty() ? std::string(field->name)
                                                : fmt::format("{}.{}", group.name, field->name);
    pipeline.options.push_back(
        {name, field->flag ? (value != 0 ? "True" : "False") : fmt::format("{}", value), place});
  }
}

const Group* FindGroup(uint32_t number) {
  for (const Group& group : kGroups) {
    if (group.number == number) return &group;
  }
  return nullptr;
}

std::string_view NameOf(DataType type) {
  const auto dtype = ToDType(type);
  switch (type) {
    case DataType::kFloat:
      return "float32";
    case DataType::kDouble:
      return "float64";
    case DataType::kHalf:
      return "float16";
    case DataType::kBfloat16:
      return "bfloat16";
    case DataType::kBool:
      return "bool";
    case DataType::kUint8:
      return "uint8";
    case DataType::kInt8:
      return "int8";
    case DataType::kInt16:
      return "int16";
    case DataType::kUint16:
      return "uint16";
    case DataType::kInt32:
      return "int32";
    case DataType::kUint32:
      return "uint32";
    case DataType::kInt64:
      return "int64";
    case DataType::kUint64:
      return "uint64";
    default:
      return dtype ? DTypeName(*dtype) : "";
  }
}

bool IsOff(const Pipeline& pipeline, std::string_view name) {
  const PipelineOption* option = pipeline.option(name);
  return option != nullptr && option->value == "False";
}

}  // namespace

std::optional<std::vector<Leaf>> LeavesOf(const NodeDef& node) {
  auto types = AttrTypes(node.attrs, "output_types");
  if (!types) types = AttrTypes(node.attrs, "Toutput_types");
  const auto shapes = AttrShapes(node.attrs, "output_shapes");
  if (!types || !shapes || types->empty() || types->size() != shapes->size()) {
    return std::nullopt;
  }
  std::vector<Leaf> leaves;
  leaves.reserve(types->size());
  for (size_t i = 0; i < types->size(); ++i) {
    leaves.push_back(
        {std::string(NameOf((*types)[i])), (*shapes)[i].dims, !(*shapes)[i].unknown_rank});
  }
  return leaves;
}

std::optional<int64_t> ItemBytes(const NodeDef& node, size_t batches) {
  auto leaves = LeavesOf(node);
  if (!leaves) return std::nullopt;
  int64_t total = 0;
  for (Leaf& leaf : *leaves) {
    const size_t dropped = std::min(batches, leaf.dims.size());
    leaf.dims.erase(leaf.dims.begin(), leaf.dims.begin() + static_cast<std::ptrdiff_t>(dropped));
    const auto bytes = leaf.bytes();
    if (!bytes || __builtin_add_overflow(total, *bytes, &total)) {
      return std::nullopt;
    }
  }
  return total;
}

void AddOptions(std::string_view serialized, const Location& place, Pipeline& pipeline) {
  const absl::Status read = Fenced("set of dataset options", [&] {
    AddFields(serialized, kGroups[0], place, pipeline);
    protozero::pbf_reader reader = Reader(serialized);
    while (reader.next()) {
      const Group* group = reader.tag() == 0 ? nullptr : FindGroup(reader.tag());
      const std::string_view inner = Bytes(reader);
      if (group != nullptr) AddFields(inner, *group, place, pipeline);
    }
    return absl::OkStatus();
  });
  if (!read.ok()) return;
  for (const std::string_view name :
       {"autotune.enabled", "experimental_optimization.apply_default_optimizations",
        "experimental_optimization.map_and_batch_fusion",
        "experimental_optimization.map_parallelization"}) {
    if (IsOff(pipeline, name)) pipeline.rewrites_disabled = true;
  }
}

void DescribeInner(const GraphDef& graph, std::string_view function, Stage& stage) {
  std::set<std::string_view> seen = {function};
  std::vector<std::string_view> open = {function};
  while (!open.empty() && seen.size() < kMaxFunctions) {
    const FunctionDef* body = graph.Function(open.back());
    open.pop_back();
    if (body == nullptr) continue;
    for (const NodeDef& node : body->nodes) {
      const DatasetOp* op = FindDatasetOp(node.op);
      if (op == nullptr) continue;
      const bool files = stage.inner_source == StageKind::kRecordFiles;
      if (IsSource(op->kind) && !files) stage.inner_source = op->kind;
      // Names of files that are opened one function further in.
      const auto inner = AttrFunction(node.attrs, "f");
      if (inner && seen.insert(inner->name).second) open.push_back(inner->name);
    }
  }
}

}  // namespace tilewise::tf
