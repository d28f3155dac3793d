// Runs the built binary as a user does, with files for it to read.

#pragma once

#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"

namespace tilewise {

struct RunResult {
  int exit_code = -1;  // 128 + n when ended by signal n
  std::string out, err;
};

// `before` stands in front of the command: settings, "ulimit -v N;". Standard
// input is empty; neither output is a terminal.
RunResult RunTilewise(const std::string& arguments, const std::string& before = "");

// A Keras model of two layers.
extern const std::string_view kSmallModel;
// Its pipeline, without drop_remainder, prefetch and steps_per_execution.
extern const std::string_view kSmallScript;

}  // namespace tilewise
