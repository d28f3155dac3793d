// Meshes and shardings of JAX, PyTorch/XLA and Keras, and rematerialisation.

#include "frontend/program/layout.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "frontend/program/record_facts.h"

namespace tilewise::program {
namespace {

// The names in one entry of a partition: "a,b", "a", a list of them, None.
std::vector<std::string> NamesIn(const py::Value& entry) {
  std::vector<std::string> names;
  if (const std::string* text = py::TextOf(entry)) {
    size_t begin = 0;
    while (begin < text->size()) {
      const size_t end = std::min(text->find(',', begin), text->size());
      if (end > begin) names.push_back(text->substr(begin, end - begin));
      begin = end + 1;
    }
  } else if (const auto* list = entry.as<py::Sequence>()) {
    for (const py::Value& item : list->items) {
      const std::string* name = py::TextOf(item);
      if (name != nullptr) names.push_back(*name);
    }
  }
  return names;
}

struct Splits {
  std::set<std::string> weights;  // axes over which weights are split
  std::set<std::string> batch;    // axes over which the first dim of others is
};

// Results of ops, and arrays of as many rows as the batch has: the state of an
// optimizer is split like the weights are.
bool IsOfTheBatch(const Tensor& tensor, int64_t batch) {
  if (tensor.value.kind == Value::Kind::kOp) return true;
  return batch == 0 || (tensor.shape.rank() > 0 && tensor.shape.dims[0].factor == batch);
}

Splits SplitsOf(const std::vector<Record>& records) {
  Splits splits;
  const Record* said = LastRecord(records, "batch");
  const auto batch = static_cast<int64_t>(said == nullptr ? 0 : said->number("size").value_or(0));
  for (const Record& record : records) {
    if (record.kind != "shard") continue;
    const Tensor* tensor = record.tensor("value");
    const py::Value* axes = record.Find("axes");
    const auto* entries = axes == nullptr ? nullptr : axes->as<py::Sequence>();
    if (tensor == nullptr || entries == nullptr) continue;
    const bool weight = Tracer::IsWeight(tensor->value);
    if (!weight && !IsOfTheBatch(*tensor, batch)) continue;
    for (size_t dim = 0; dim < entries->items.size(); ++dim) {
      for (const std::string& name : NamesIn(entries->items[dim])) {
        if (weight) splits.weights.insert(name);
        if (!weight && dim == 0) splits.batch.insert(name);
      }
    }
  }
  return splits;
}

constexpr std::array<std::pair<std::string_view, MeshAxis>, 24> kAxisWords = {{
    {"data", MeshAxis::kData},         {"batch", MeshAxis::kData},
    {"dp", MeshAxis::kData},           {"replica", MeshAxis::kData},
    {"devices", MeshAxis::kData},      {"x", MeshAxis::kData},
    {"fsdp", MeshAxis::kFsdp},         {"zero", MeshAxis::kFsdp},
    {"shard", MeshAxis::kFsdp},        {"expert", MeshAxis::kExpert},
    {"ep", MeshAxis::kExpert},         {"context", MeshAxis::kContext},
    {"sequence", MeshAxis::kContext},  {"seq", MeshAxis::kContext},
    {"sp", MeshAxis::kContext},        {"ddp", MeshAxis::kData},
    {"dp_replicate", MeshAxis::kData}, {"dp_shard", MeshAxis::kFsdp},
    {"cp", MeshAxis::kContext},        {"model", MeshAxis::kTensor},
    {"tensor", MeshAxis::kTensor},     {"tp", MeshAxis::kTensor},
    {"mp", MeshAxis::kTensor},         {"mdl", MeshAxis::kTensor},
}};

std::optional<MeshAxis> MeaningOf(const std::string& name, const Splits& splits) {
  const auto* word = std::find_if(kAxisWords.begin(), kAxisWords.end(),
                                  [&](const auto& row) { return row.first == name; });
  const bool weights = splits.weights.contains(name), batch = splits.batch.contains(name);
  const auto is_called = [&](MeshAxis axis) {
    return word != kAxisWords.end() && word->second == axis;
  };
  if (is_called(MeshAxis::kExpert)) return MeshAxis::kExpert;
  if (is_called(MeshAxis::kContext) && !batch) return MeshAxis::kContext;
  if (batch) return weights ? MeshAxis::kFsdp : MeshAxis::kData;
  if (weights) {
    // The batch is split by what the program leaves to the compiler.
    return is_called(MeshAxis::kFsdp) ? MeshAxis::kFsdp : MeshAxis::kTensor;
  }
  if (word == kAxisWords.end()) return std::nullopt;
  return word->second;
}

int64_t& ExtentOf(Mesh& mesh, MeshAxis axis) {
  switch (axis) {
    case MeshAxis::kStage:
      return mesh.stage;
    case MeshAxis::kFsdp:
      return mesh.fsdp;
    case MeshAxis::kExpert:
      return mesh.expert;
    case MeshAxis::kContext:
      return mesh.context;
    case MeshAxis::kTensor:
      return mesh.tensor;
    case MeshAxis::kData:
      break;
  }
  return mesh.data;
}

constexpr int64_t kLongestAxis = 1 << 16;

// Names and extents of the axes; empty: they are not all known.
std::vector<std::pair<std::string, int64_t>> AxesOf(const Record& record) {
  std::vector<std::pair<std::string, int64_t>> axes;
  const py::Value *shape = record.Find("shape"), *names = record.Find("names");
  const auto* extents = shape == nullptr ? nullptr : shape->as<py::Sequence>();
  const auto* words = names == nullptr ? nullptr : names->as<py::Sequence>();
  if (extents == nullptr || words == nullptr || extents->items.size() != words->items.size()) {
    return {};
  }
  for (size_t i = 0; i < words->items.size(); ++i) {
    const std::string* name = py::TextOf(words->items[i]);
    const std::optional<int64_t> extent = py::AsInt(extents->items[i]);
    if (name == nullptr || !extent.has_value() || *extent < 1 || *extent > kLongestAxis) return {};
    axes.emplace_back(*name, *extent);
  }
  return axes;
}

std::string_view WordsOf(MeshAxis axis) {
  switch (axis) {
    case MeshAxis::kStage:
      return "splits the layers";
    case MeshAxis::kFsdp:
      return "splits the batch and the weights";
    case MeshAxis::kExpert:
      return "splits the experts";
    case MeshAxis::kContext:
      return "splits the positions";
    case MeshAxis::kTensor:
      return "splits the weights";
    case MeshAxis::kData:
      break;
  }
  return "splits the batch";
}

}  // namespace

std::optional<ProgramMesh> MeshOf(const std::vector<Record>& records, std::string& unclear) {
  const Record* made = LastRecord(records, "mesh");
  if (made == nullptr) return std::nullopt;
  const Splits splits = SplitsOf(records);
  ProgramMesh result;
  result.mesh.data = 1;
  result.location = made->location;
  for (const auto& [name, extent] : AxesOf(*made)) {
    if (extent == 1) continue;
    const std::optional<MeshAxis> axis = MeaningOf(name, splits);
    if (!axis.has_value()) {
      unclear = name;
      return std::nullopt;
    }
    ExtentOf(result.mesh, *axis) *= extent;
    result.words +=
        fmt::format("{}{} ({}) {}", result.words.empty() ? "" : ", ", name, extent, WordsOf(*axis));
  }
  if (result.mesh.cores_per_copy() == 1) return std::nullopt;
  return result;
}

std::optional<Remat> RematOf(const std::vector<Record>& records) {
  const Record* last = LastRecord(records, "remat");
  if (last == nullptr) return std::nullopt;
  const std::string* policy = last->text("policy");
  if (policy == nullptr) return Remat::kFull;
  if (policy->find("everything") != std::string::npos) return Remat::kNone;
  return policy->find("dots") != std::string::npos ? Remat::kDots : Remat::kFull;
}

}  // namespace tilewise::program
