// What the user asked for, as plain data. Zero and empty mean "not given".

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tilewise {

struct Options {
  std::vector<std::string> files;

  // Target.
  std::string chip;
  int64_t cores = 0;
  std::string host;

  // Training.
  bool training = true;
  int64_t global_batch = 0;
  int64_t batch_per_core = 0;
  std::string optimizer;
  int64_t steps_per_execution = 0;
  int64_t steps_per_epoch = 0;
  int64_t examples = 0;
  int64_t max_global_batch = 0;

  // Rules.
  std::vector<std::string> select, ignore;
  std::optional<Severity> fail_on;  // none: never

  // Output.
  std::string format = "text";
  std::string output;  // empty: standard output
  std::string color = "auto";
  bool verbose = false;

  // `explain` and `list`.
  std::string rule;
  std::string listed;
};

}  // namespace tilewise
