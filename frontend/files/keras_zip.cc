// config.json is the model; metadata.json says which Keras wrote it.

#include "frontend/files/keras_zip.h"

#include <utility>

#include "frontend/files/zip_member.h"
#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_workload.h"

namespace tilewise {
namespace {

constexpr size_t kLargestMember = size_t{64} << 20;
constexpr char kConfig[] = "config.json";
constexpr char kMetadata[] = "metadata.json";

struct Config {
  nlohmann::json root;
  std::string text;
};

absl::StatusOr<Config> ReadConfig(std::string_view bytes) {
  TW_ASSIGN_OR_RETURN(const ZipArchive archive, ZipArchive::Open(bytes));
  TW_ASSIGN_OR_RETURN(std::optional<std::string> text, archive.Read(kConfig, kLargestMember));
  if (!text) {
    return InvalidInput("the archive has no config.json, expected a Keras 3 model");
  }
  absl::StatusOr<nlohmann::json> root = ParseBoundedJson(*text);
  if (!root.ok()) return Annotate(root.status(), kConfig);
  // Says nothing of the model: a damaged one is left out.
  const auto metadata = archive.Read(kMetadata, kLargestMember);
  if (metadata.ok() && *metadata && root->is_object()) {
    const auto parsed = ParseBoundedJson(**metadata);
    if (parsed.ok() && parsed->is_object() && parsed->contains("keras_version")) {
      (*root)["keras_version"] = (*parsed)["keras_version"];
    }
  }
  return Config{*std::move(root), *std::move(text)};
}

}  // namespace

bool LooksLikeKerasZip(const InputFile& file) {
  const std::string_view start = file.bytes.substr(0, 4096);
  return start.starts_with("PK\x03\x04") &&
         (start.find(kConfig) != std::string_view::npos ||
          start.find(kMetadata) != std::string_view::npos || file.path.ends_with(".keras"));
}

absl::StatusOr<Workload> ReadKerasZip(const InputFile& file, const LoadOptions& options) {
  absl::StatusOr<Config> config = ReadConfig(file.bytes);
  if (!config.ok()) return Annotate(config.status(), file.path);
  return WorkloadOfKeras(
      {file.path, std::move(config->root), config->text, options.training.value_or(true)});
}

}  // namespace tilewise
