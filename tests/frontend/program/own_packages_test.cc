// Packages of the program's own: checkouts, modules beside scripts, parts that are not there.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "frontend/program/imports.h"
#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

Workload ReadAt(const std::string& path, const std::string& text, const std::string& model,
                const std::string& inputs = "") {
  ProgramOptions options;
  options.model = model;
  options.inputs = inputs;
  absl::StatusOr<Workload> workload = ReadProgram(path, {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

int64_t Trainable(const Workload& workload) {
  return workload.model_size.has_value() ? workload.model_size->trainable : -1;
}

TEST(OwnPackages, ACheckoutUnderAnotherNameIsThePackageThatItsProgramsName) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "nets-master";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "README.md") << "Nets\n";
  std::ofstream(folder / "netparts.py") << "width = 6\n";
  const Workload workload = ReadAt(
      (folder / "train.py").string(),
      "from nets import netparts\nfrom torch import nn\nnet = nn.Linear(netparts.width, 1)\n",
      "net");
  EXPECT_EQ(Trainable(workload), 7);
  EXPECT_THAT(Notes(workload), HasSubstr("module nets is the checkout "));
}

TEST(OwnPackages, TheFolderOfSourcesOfACheckoutIsMeantBeforeTheCheckoutItself) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "widths-main";
  std::filesystem::create_directories(folder / "src/widths");
  std::filesystem::create_directories(folder / "examples");
  std::ofstream(folder / "README.md") << "Widths\n";
  std::ofstream(folder / "src/widths/__init__.py") << "width = 8\n";
  const Workload workload =
      ReadAt((folder / "examples/train.py").string(),
             "from widths import width\nfrom torch import nn\nnet = nn.Linear(width, 1)\n", "net");
  EXPECT_EQ(Trainable(workload), 9);
  EXPECT_THAT(Notes(workload), HasSubstr("module widths is the one of "));
}

TEST(OwnPackages, ACheckoutOfThePackagesNameIsNotThePackageThatItHolds) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lengths";
  std::filesystem::create_directories(folder / "src/lengths");
  std::filesystem::create_directories(folder / "docs/tutorials");
  std::ofstream(folder / "src/lengths/__init__.py") << "from . import parts\n";
  std::ofstream(folder / "src/lengths/parts.py") << "width = 8\n";
  const Workload workload = ReadAt(
      (folder / "docs/tutorials/train.py").string(),
      "from lengths import parts\nfrom torch import nn\nnet = nn.Linear(parts.width, 1)\n", "net");
  EXPECT_EQ(Trainable(workload), 9);
}

TEST(OwnPackages, AClassMayNameGenericBeforeABaseThatHasIt) {
  const Workload workload = ReadAt("train.py", R"(
from typing import Generic, TypeVar
from torch import nn
T = TypeVar('T')
class Maker(Generic[T]):
    width = 4
class Own(Generic[T], Maker[T]):
    pass
net = nn.Linear(Own.width, 1)
)",
                                   "net");
  EXPECT_EQ(Trainable(workload), 5);
}

// Such a program may name no framework itself.
TEST(OwnPackages, AProgramOfACheckoutUnderAnotherNameImportsWhatIsTheUsers) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "shapes-main";
  std::filesystem::create_directories(folder / "src");
  std::ofstream(folder / "README.md") << "Shapes\n";
  const std::string program = (folder / "src" / "train.py").string();
  EXPECT_TRUE(ImportsBeside("from shapes.src import training\n", program));
  EXPECT_FALSE(ImportsBeside("from shape.src import training\n", program));
  EXPECT_TRUE(ImportsBeside("def main():\n    from . import training\n", program));
}

TEST(OwnPackages, AScriptMeansTheModuleBesideItByTheNameOfItsFolder) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "widenet";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "__init__.py") << "\n";
  std::ofstream(folder / "widenet.py") << "width = 6\n";
  const Workload workload =
      ReadAt((folder / "train.py").string(),
             "import widenet\nfrom torch import nn\nnet = nn.Linear(widenet.width, 1)\n", "net");
  EXPECT_EQ(Trainable(workload), 7);
}

TEST(OwnPackages, APartThatAPackageLacksIsNamed) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "folder_with_a_package";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts" / "__init__.py") << "\n";
  const Workload workload = ReadAt((folder / "train.py").string(), R"(
import parts
from torch import nn
from parts.removed import width
net = nn.Linear(width, 1)
)",
                                   "net");
  EXPECT_THAT(Notes(workload), HasSubstr("module parts.removed is not on the search path: "));
}

TEST(OwnPackages, AFileThatIsNamedFromTheProjectsRootIsFoundFromAPartOfIt) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "folder_of_a_project";
  std::filesystem::create_directories(folder / "configs");
  std::filesystem::create_directories(folder / "tools");
  std::ofstream(folder / "configs" / "base.yml") << "width: 6\n";
  const Workload workload = ReadAt((folder / "tools" / "train.py").string(), R"(
import yaml
from torch import nn
with open("configs/base.yml") as file:
    net = nn.Linear(yaml.safe_load(file)["width"], 1)
)",
                                   "net");
  EXPECT_EQ(Trainable(workload), 7);
}

}  // namespace
}  // namespace tilewise::program
