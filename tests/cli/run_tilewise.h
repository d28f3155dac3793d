// Runs the built binary as a user does, and files for it to read.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewise {

struct RunResult {
  int exit_code = -1;  // 128 + n when ended by signal n
  std::string out, err;
};

// `before` stands in front of the command: settings, "ulimit -v N;". Standard
// input is empty; neither output is a terminal.
RunResult RunTilewise(const std::string& arguments,
                      const std::string& before = "");

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Writes a file and returns its path.
  std::string Write(const std::string& name, std::string_view text) const;
  std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

 private:
  std::filesystem::path folder_;
};

// A Keras model of two layers.
extern const std::string_view kSmallModel;
// Its pipeline, without drop_remainder, prefetch and steps_per_execution.
extern const std::string_view kSmallScript;

}  // namespace tilewise
