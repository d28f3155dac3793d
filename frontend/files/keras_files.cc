// A .keras file holds the model in config.json, and metadata.json says which Keras
// wrote it. Inflating stops at a limit, as the directory's sizes may be wrong.
// An HDF5 file holds JSON like that of model.to_json() in its attributes
// model_config and training_config.

#include "frontend/files/keras_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <zip.h>

#include "base/status.h"
#include "frontend/files/byte_cursor.h"
#include "frontend/files/hdf5_attributes.h"
#include "frontend/keras/bounded_json.h"
#include "frontend/keras/keras_workload.h"

namespace tilewise {
namespace {

// Members of a zip archive that is in memory. libzip stays in this file.
class ZipArchive {
 public:
  // `bytes` must outlive the archive. Errors: no archive, damaged directory, or
  // one with more than 100,000 members.
  static absl::StatusOr<ZipArchive> Open(std::string_view bytes);

  // The member, inflated; empty when there is none of this name. Errors:
  // damaged or encrypted data, more than `limit` bytes, whatever the directory
  // says.
  absl::StatusOr<std::optional<std::string>> Read(const std::string& name, size_t limit) const;

 private:
  struct Closer {
    void operator()(void* archive) const;
  };
  explicit ZipArchive(void* archive) : archive_(archive) {}

  std::unique_ptr<void, Closer> archive_;
};

constexpr uint64_t kMostMembers = 100'000;

zip_t* Archive(void* archive) { return static_cast<zip_t*>(archive); }

// Members as the end of the directory counts them, before anything is made for
// each of them. The end stands in the last 64 KiB; archives with 65,535 members
// or more count them in a record before it.
uint64_t CountMembers(std::string_view bytes) {
  constexpr size_t kLongestEnd = (size_t{64} << 10) + 22;
  const size_t from = bytes.size() - std::min(bytes.size(), kLongestEnd);
  const std::string_view tail = bytes.substr(from);
  const size_t end = tail.rfind("PK\x05\x06");
  if (end == std::string_view::npos) return 0;
  ByteCursor at(tail, end + 10);
  const uint64_t count = at.Number(2);
  if (count != 0xFFFF) return count;
  const size_t large = tail.rfind("PK\x06\x06");
  if (large == std::string_view::npos) return count;
  return ByteCursor(tail, large + 32).Number(8);
}

struct FileCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

void ZipArchive::Closer::operator()(void* archive) const { zip_discard(Archive(archive)); }

absl::StatusOr<ZipArchive> ZipArchive::Open(std::string_view bytes) {
  const uint64_t members = CountMembers(bytes);
  if (members > kMostMembers) {
    return InvalidInput(fmt::format("found a zip archive of {} members, expected at most {}",
                                    members, kMostMembers));
  }
  zip_error_t error;
  zip_error_init(&error);
  // The source is not freed by libzip (0), and only read.
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr && source != nullptr) zip_source_free(source);
  const std::string problem = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (archive == nullptr) {
    return InvalidInput(fmt::format("damaged zip archive ({}), expected a whole one", problem));
  }
  return ZipArchive(archive);
}

absl::StatusOr<std::optional<std::string>> ZipArchive::Read(const std::string& name,
                                                            size_t limit) const {
  zip_t* archive = Archive(archive_.get());
  const zip_int64_t index = zip_name_locate(archive, name.c_str(), ZIP_FL_ENC_RAW);
  if (index < 0) return std::optional<std::string>();
  const std::unique_ptr<zip_file_t, FileCloser> file(
      zip_fopen_index(archive, static_cast<zip_uint64_t>(index), 0));
  if (file == nullptr) {
    return InvalidInput(fmt::format(
        "{}: cannot be inflated, expected plain or deflated data without a password", name));
  }
  std::string text;
  std::array<char, 1 << 14> block;
  for (;;) {
    const zip_int64_t got = zip_fread(file.get(), block.data(), block.size());
    if (got < 0) {
      return InvalidInput(fmt::format("{}: damaged data in the archive", name));
    }
    if (got == 0) return std::optional<std::string>(std::move(text));
    text.append(block.data(), got);
    if (text.size() > limit) {
      return InvalidInput(fmt::format("{}: found more than {} bytes, expected fewer", name, limit));
    }
  }
}

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

constexpr std::string_view kModel = "model_config";
constexpr std::string_view kTraining = "training_config";
constexpr std::string_view kVersion = "keras_version";

using TextAttributes = std::map<std::string, std::string>;

// Parses an attribute, when there is such a one, into `root` under `name`.
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
        "the HDF5 file has no attribute model_config, expected a whole model (model.save, not "
        "model.save_weights)");
  }
  const auto version = attributes.find(std::string(kVersion));
  if (version != attributes.end()) {
    root[std::string(kVersion)] = version->second;
  }
  return root;
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

bool LooksLikeKerasH5(const InputFile& file) { return HasHdf5Signature(file.bytes); }

absl::StatusOr<Workload> ReadKerasH5(const InputFile& file, const LoadOptions& options) {
  absl::StatusOr<nlohmann::json> root = ReadRoot(file.bytes);
  if (!root.ok()) return Annotate(root.status(), file.path);
  return WorkloadOfKeras({file.path, *std::move(root), {}, options.training.value_or(true)});
}

}  // namespace tilewise
