// The attributes model_config and training_config are JSON of the same kind as
// model.to_json() writes.

#include "frontend/files/keras_h5.h"

#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "frontend/files/hdf5_attributes.h"
#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_workload.h"

namespace tilewise {
namespace {

constexpr std::string_view kModel = "model_config";
constexpr std::string_view kTraining = "training_config";
constexpr std::string_view kVersion = "keras_version";

using TextAttributes = std::map<std::string, std::string>;

// Under `name` in `root`, when there is such an attribute.
absl::Status ParseInto(const TextAttributes& attributes, std::string_view name,
                       nlohmann::json& root) {
  const auto found = attributes.find(std::string(name));
  if (found == attributes.end()) return absl::OkStatus();
  absl::StatusOr<nlohmann::json> parsed = ParseBoundedJson(found->second);
  if (!parsed.ok()) {
    return Annotate(parsed.status(), fmt::format("attribute {}", name));
  }
  root[std::string(name)] = *std::move(parsed);
  return absl::OkStatus();
}

absl::StatusOr<nlohmann::json> ReadRoot(std::string_view bytes) {
  constexpr std::array<std::string_view, 3> kNames = {kModel, kTraining, kVersion};
  TW_ASSIGN_OR_RETURN(const TextAttributes attributes, RootAttributes(bytes, kNames));
  nlohmann::json root = nlohmann::json::object();
  TW_RETURN_IF_ERROR(ParseInto(attributes, kModel, root));
  TW_RETURN_IF_ERROR(ParseInto(attributes, kTraining, root));
  if (!root.contains(std::string(kModel))) {
    return InvalidInput(
        "the HDF5 file has no attribute model_config, expected a whole model "
        "(model.save, not model.save_weights)");
  }
  const auto version = attributes.find(std::string(kVersion));
  if (version != attributes.end()) {
    root[std::string(kVersion)] = version->second;
  }
  return root;
}

}  // namespace

bool LooksLikeKerasH5(const InputFile& file) { return HasHdf5Signature(file.bytes); }

absl::StatusOr<Workload> ReadKerasH5(const InputFile& file, const LoadOptions& options) {
  absl::StatusOr<nlohmann::json> root = ReadRoot(file.bytes);
  if (!root.ok()) return Annotate(root.status(), file.path);
  return WorkloadOfKeras({file.path, *std::move(root), {}, options.training.value_or(true)});
}

}  // namespace tilewise
