// Files that are not here: what their names end with is what the program asks of them.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST(AssumedFiles, EndAsTheProgramAsksOfThem) {
  const fs::path path = fs::path(testing::TempDir()) / "assumed_files.py";
  const std::string text = R"(
import os, torch
home = os.path.expanduser("~/.cache/books/base_data")
parts = sorted([
    name for name in os.listdir(home)
    if name.endswith(".parquet") and not name.endswith(".tmp")
])
assert len(parts) > 0, "download the data"
kept = [name for name in os.listdir("images") if name.endswith(".pth")]
net = torch.nn.Linear(30, len(kept) + 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(1000):
    net(torch.randn(64, 30)).mean().backward()
    optimizer.step()
)";
  std::ofstream(path) << text;
  ProgramOptions options;
  options.limits.steps = 4'000'000;
  const absl::StatusOr<Workload> workload = ReadProgram(path.string(), {{text, 0}}, options);
  ASSERT_TRUE(workload.ok()) << workload.status();
  std::string notes;
  for (const Diagnostic& note : workload->notes) notes += note.message + "\n";
  ASSERT_TRUE(workload->training.has_value()) << notes;
  EXPECT_EQ(workload->model_size->trainable, 31 * 2);
  EXPECT_THAT(notes, Not(HasSubstr("a check of the program")));
}

}  // namespace
}  // namespace tilewise::program
