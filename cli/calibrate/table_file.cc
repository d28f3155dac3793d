// Whole files, of bounded size.

#include "cli/calibrate/table_file.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/load.h"
#include "frontend/mapped_file.h"

namespace tilewise {
namespace {

constexpr size_t kLargestTable = size_t{64} << 20;

}  // namespace

absl::StatusOr<MeasuredTable> ReadTable(const std::string& path) {
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) {
    return absl::NotFoundError(
        fmt::format("{}: found no readable file, expected a table of measurements (.csv)", path));
  }
  const std::string_view text = file->bytes();
  if (text.size() > kLargestTable) {
    return InvalidInput(fmt::format("{}: found {}, expected at most {}", path,
                                    FormatBytes({static_cast<int64_t>(text.size())}),
                                    FormatBytes({kLargestTable})));
  }
  return MeasuredTable{path, std::string(text),
                       LoaderFrom(std::filesystem::path(path).parent_path())};
}

WorkloadLoader LoaderFrom(const std::string& folder) {
  return
      [folder](const std::string& spec, bool training, int64_t shards) -> absl::StatusOr<Workload> {
        const bool file = spec.find(':') == std::string::npos;
        const std::string path = file ? (std::filesystem::path(folder) / spec).string() : spec;
        return ReadInputs({path}, {.cores = shards, .training = training});
      };
}

}  // namespace tilewise
