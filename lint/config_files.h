// Finds the configuration of each file: the nearest `.tilewise.yaml` upwards.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/status.h"
#include "lint/config.h"

namespace tilewise {

// This says which files are looked at.
struct ConfigChoice {
  std::string file;       // this one for all; empty: the nearest of each
  bool isolated = false;  // none
};

// Each configuration is read once, each folder is asked once. Safe to use from
// several threads.
class ConfigFiles {
 public:
  explicit ConfigFiles(ConfigChoice choice) : choice_(std::move(choice)) {}

  // Returns the configuration of the file or folder at `path`, which need not
  // exist ("-", a name of standard input, "zoo:resnet50": the working
  // directory). Two paths with the same configuration get the same pointer.
  // Errors: those of ReadConfig.
  absl::StatusOr<std::shared_ptr<const LintConfig>> For(const std::string& path);

 private:
  using Shared = std::shared_ptr<const LintConfig>;
  absl::StatusOr<Shared> OfFolder(const std::string& folder);
  absl::StatusOr<Shared> OfFile(const std::string& file, ConfigOwner owner);

  ConfigChoice choice_;
  std::mutex mutex_;
  std::map<std::string, absl::StatusOr<Shared>> by_folder_;
  std::map<std::string, absl::StatusOr<Shared>> by_file_;
  Shared none_;  // of files that have no configuration
};

}  // namespace tilewise
