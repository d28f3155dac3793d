// A C++ program and the same one in Python give one step: the same kernels, times and memory.

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

nlohmann::json Simulated(const std::string& file) {
  const RunResult run =
      RunTilewise("simulate " + file + " --chip v3 --format json", "cd " TILEWISE_SOURCE_DIR " &&");
  return nlohmann::json::parse(run.out, nullptr, false);
}

// A build without Clang says that it reads no C++.
bool ReadsCpp() {
  const RunResult run =
      RunTilewise("inspect examples/libtorch/digits.cpp", "cd " TILEWISE_SOURCE_DIR " &&");
  return run.err.find("reads no C++ sources") == std::string::npos;
}

// The report of a step without the lines of its buffers.
nlohmann::json WithoutLines(nlohmann::json report) {
  for (nlohmann::json& buffer : report["memory"]["largest_buffers"]) buffer.erase("location");
  return report;
}

void ExpectOneStep(const std::string& cpp, const std::string& python) {
  const nlohmann::json a = WithoutLines(Simulated(cpp)), b = WithoutLines(Simulated(python));
  ASSERT_TRUE(a.is_object() && b.is_object()) << cpp;
  EXPECT_FALSE(a["kernels"].empty());
  for (const char* part : {"step", "kernels", "memory", "setting"}) {
    EXPECT_EQ(a[part], b[part]) << cpp << ": " << part;
  }
}

TEST(CppModel, StepsAsTheSameNetworkInPythonDoes) {
  if (!ReadsCpp()) GTEST_SKIP();
  ExpectOneStep("examples/libtorch/digits.cpp", "tests/cpp/programs/digits.py");
  ExpectOneStep("examples/libtorch/gan.cpp", "tests/cpp/programs/gan.py");
}

TEST(CppModel, SimulatesAComputationOfXlasBuilder) {
  if (!ReadsCpp()) GTEST_SKIP();
  const nlohmann::json made = Simulated("examples/xla_builder/classifier.cc");
  ASSERT_TRUE(made.is_object());
  EXPECT_GE(made["kernels"].size(), 3u);
}

}  // namespace
}  // namespace tilewise
