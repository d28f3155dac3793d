// The README's sample is what the program prints today.

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The first block between bare ``` fences.
std::vector<std::string> SampleOfReadme() {
  std::ifstream file(TILEWISE_SOURCE_DIR "/README.md");
  std::stringstream text;
  text << file.rdbuf();
  std::vector<std::string> sample;
  bool in_code = false;
  bool in_sample = false;
  for (const std::string& line : Lines(text.str())) {
    const bool fence = line.rfind("```", 0) == 0;
    if (fence && in_sample) break;
    if (fence) {
      in_sample = !in_code && line == "```";
      in_code = !in_code;
    } else if (in_sample) {
      sample.push_back(line);
    }
  }
  return sample;
}

TEST(Readme, ShowsWhatTheDemoPrints) {
  const RunResult run = RunTilewise("advise examples/cifar10_cnn/train.py --chip v2",
                                    "cd " TILEWISE_SOURCE_DIR " &&");
  const std::vector<std::string> printed = Lines(run.out);
  const std::set<std::string> lines(printed.begin(), printed.end());
  const std::vector<std::string> sample = SampleOfReadme();
  EXPECT_GT(sample.size(), 40u);
  for (const std::string& line : sample) {
    if (line == "..." || line.empty()) continue;
    EXPECT_TRUE(lines.contains(line)) << line;
  }
}

}  // namespace
}  // namespace tilewise
