// Folders are asked from the file's own upwards, each once.

#include "lint/config_files.h"

#include <cstdlib>
#include <filesystem>

#include "base/paths.h"
#include "lint/config_sections.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// The other common ending is taken too.
constexpr std::string_view kOtherName = ".tilewise.yml";

// The folder that the search for `path` begins in.
fs::path FirstFolder(const std::string& path) {
  std::error_code error;
  const fs::path absolute = AbsolutePath(path);
  if (fs::is_directory(absolute, error)) {
    return absolute.has_filename() ? absolute : absolute.parent_path();
  }
  if (fs::exists(absolute, error) || path.find('/') != std::string::npos) {
    return absolute.parent_path();
  }
  return fs::current_path(error);
}

// What lies in the user's home itself no checkout put there.
ConfigOwner OwnerOf(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  const bool own = home != nullptr && *home == '/' && RealPath(home) == RealPath(folder);
  return own ? ConfigOwner::kUser : ConfigOwner::kCheckout;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const LintConfig>> ConfigFiles::For(const std::string& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (choice_.isolated) {
    if (!none_) none_ = std::make_shared<const LintConfig>(NoConfig());
    return none_;
  }
  if (!choice_.file.empty()) return OfFile(choice_.file, ConfigOwner::kUser);
  return OfFolder(path.starts_with("zoo:") ? FirstFolder(".").string()
                                           : FirstFolder(path).string());
}

absl::StatusOr<ConfigFiles::Shared> ConfigFiles::OfFolder(const std::string& folder) {
  const auto known = by_folder_.find(folder);
  if (known != by_folder_.end()) return known->second;
  const fs::path here(folder);
  absl::StatusOr<Shared> config = Shared();
  std::error_code error;
  std::string file;
  for (const std::string_view name : {kConfigFileName, kOtherName}) {
    if (file.empty() && fs::is_regular_file(here / name, error)) {
      file = PathIn(folder, std::string(name));
    }
  }
  if (!file.empty()) {
    config = OfFile(file, OwnerOf(here));
  } else if (here.has_parent_path() && here.parent_path() != here) {
    config = OfFolder(here.parent_path().string());
  } else {
    if (!none_) none_ = std::make_shared<const LintConfig>(NoConfig());
    config = none_;
  }
  by_folder_.emplace(folder, config);
  return config;
}

absl::StatusOr<ConfigFiles::Shared> ConfigFiles::OfFile(const std::string& file,
                                                        ConfigOwner owner) {
  const auto known = by_file_.find(file);
  if (known != by_file_.end()) return known->second;
  absl::StatusOr<LintConfig> read = ReadConfig(file, owner);
  absl::StatusOr<Shared> config =
      read.ok() ? absl::StatusOr<Shared>(std::make_shared<const LintConfig>(*std::move(read)))
                : absl::StatusOr<Shared>(read.status());
  by_file_.emplace(file, config);
  return config;
}

}  // namespace tilewise
