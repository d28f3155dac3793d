// Whole files, of bounded size.

#include "cli/calibrate/table_file.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/load.h"

namespace tilewise {
namespace {

constexpr std::streamoff kLargestTable = std::streamoff{64} << 20;

}  // namespace

absl::StatusOr<MeasuredTable> ReadTable(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? std::streamoff{file.tellg()} : -1;
  if (size < 0 || std::filesystem::is_directory(path)) {
    return absl::NotFoundError(
        fmt::format("{}: found no readable file, expected a table of "
                    "measurements (.csv)",
                    path));
  }
  if (size > kLargestTable) {
    return InvalidInput(fmt::format("{}: found {}, expected at most {}", path, FormatBytes({size}),
                                    FormatBytes({kLargestTable})));
  }
  MeasuredTable table = {path, "", LoaderFrom(std::filesystem::path(path).parent_path())};
  table.text.resize(static_cast<size_t>(size));
  file.seekg(0);
  if (!file.read(table.text.data(), size)) {
    return absl::UnavailableError(fmt::format("{}: cannot be read", path));
  }
  return table;
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
