// Reads InputLayer configurations of all Keras versions.

#include "frontend/keras/model_input.h"

#include <fmt/format.h>

#include "frontend/keras/layer_config.h"

namespace tilewise {
namespace {

using nlohmann::json;

struct Found {
  const json* shape = nullptr;
  bool has_batch = false;
};

Found FindShape(const json& config) {
  for (const std::string_view key : {"batch_input_shape", "batch_shape", "shape", "input_shape"}) {
    if (const json* found = MemberOf(config, key)) return {found, key.starts_with("batch")};
  }
  return {};
}

// What to take for dim `dim` (0 is the batch) of an input of `rank` sizes that
// leaves it open.
int64_t AssumedSize(const KerasModel& model, size_t dim, size_t rank) {
  for (const KerasLayer& other : model.layers) {
    if (other.class_name != "InputLayer") continue;
    const Found found = FindShape(other.config);
    const size_t at = found.has_batch ? dim : dim - 1;
    if (found.shape == nullptr || !found.shape->is_array() || at >= found.shape->size()) {
      continue;
    }
    const auto size = AsInteger((*found.shape)[at]);
    if (size && *size >= 1) return *size;
  }
  return rank >= 3 ? 224 : 128;
}

absl::StatusOr<DType> ReadType(const json& config) {
  json dtype = config.value("dtype", json());
  if (dtype.is_null()) dtype = config.value("input_dtype", json());
  if (dtype.is_null()) return DType::kF32;
  const std::string name = dtype.is_string() ? dtype.get<std::string>() : DescribeJson(dtype);
  if (name == "float") return DType::kF32;
  if (const auto type = ParseDType(name)) return *type;
  return InvalidInput(fmt::format("dtype is {}, expected a type as float32", name.substr(0, 40)));
}

}  // namespace

absl::StatusOr<ModelInput> ReadModelInput(const KerasLayer& input, const KerasModel& model) {
  const Found found = FindShape(input.config);
  if (found.shape == nullptr) {
    return InvalidInput(
        "input shape is missing, expected batch_input_shape or input_shape in the first layer");
  }
  if (!found.shape->is_array() || (found.has_batch && found.shape->empty())) {
    return InvalidInput(
        fmt::format("input shape is {}, expected a list", DescribeJson(*found.shape)));
  }
  ModelInput result;
  TW_ASSIGN_OR_RETURN(result.shape.dtype, ReadType(input.config));
  result.shape.dims = {BatchDim()};
  const size_t first = found.has_batch ? 1 : 0;
  const size_t sizes = found.shape->size() - first;
  for (size_t i = first; i < found.shape->size(); ++i) {
    const json& item = (*found.shape)[i];
    int64_t size = 0;
    if (item.is_null()) {
      size = AssumedSize(model, result.shape.dims.size(), sizes);
      result.assumed += fmt::format("{}{} for dimension {}", result.assumed.empty() ? "" : ", ",
                                    size, result.shape.dims.size());
      result.assumed_dims.push_back(static_cast<int64_t>(result.shape.dims.size()));
    } else {
      size = AsInteger(item).value_or(0);
    }
    if (size < 1) {
      return InvalidInput(
          fmt::format("input dimension {} is {}, expected a positive integer below 2^31",
                      result.shape.dims.size(), DescribeJson(item)));
    }
    result.shape.dims.push_back({size, false});
  }
  return result;
}

}  // namespace tilewise
