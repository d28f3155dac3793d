// What requirement files say of the releases that a script runs with.

#include "frontend/python/project_pins.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace tilewise::python {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> InWords(const std::vector<PackageVersion>& pins) {
  std::vector<std::string> words;
  words.reserve(pins.size());
  for (const PackageVersion& pin : pins) {
    words.push_back(fmt::format("{}{}{}.{}:{}", pin.package, pin.relation, pin.major, pin.minor,
                                pin.location.line));
  }
  return words;
}

std::vector<std::string> Pins(const std::string& file, const std::string& text) {
  return InWords(PinsOf(text, file));
}

TEST(PinsOf, RequirementsHaveOneALine) {
  EXPECT_THAT(
      Pins("requirements.txt",
           "numpy==1.26\n"
           "# tensorflow==1.15\n"
           "TensorFlow[and-cuda] >= 2.11, <2.16  # no Keras 3\n"
           "tensorflow-datasets==4.9\n"
           "jax~=0.4.30; python_version > '3.9'\n"
           "keras==3.*\n"),
      ElementsAre("tensorflow>=2.11:3", "tensorflow<2.16:3", "jax==0.4:5", "keras==3.-1:6"));
}

TEST(PinsOf, ACompatibleReleaseEndsWithTheLastNumberButOne) {
  EXPECT_THAT(Pins("requirements-tpu.txt", "tensorflow~=2.15\n"),
              ElementsAre("tensorflow~=2.15:1"));
  EXPECT_THAT(Pins("requirements-tpu.txt", "tensorflow~=2.15.1\n"),
              ElementsAre("tensorflow==2.15:1"));
}

TEST(PinsOf, ProjectFilesOfBothForms) {
  EXPECT_THAT(Pins("pyproject.toml",
                   "[project]\n"
                   "dependencies = [\"tensorflow>=2.15,<2.17\", \"jax==0.4.1\"]\n"
                   "[tool.poetry.dependencies]\n"
                   "python = \"^3.10\"\n"
                   "tensorflow = \"^2.15.0\"\n"
                   "keras = {version = \"~3.1\", optional = true}\n"
                   "jax = \"0.4.30\"\n"),
              ElementsAre("tensorflow>=2.15:2", "tensorflow<2.17:2", "jax==0.4:2",
                          "tensorflow~=2.15:5", "keras==3.1:6", "jax==0.4:7"));
}

TEST(PinsOf, EnvironmentsOfConda) {
  EXPECT_THAT(Pins("environment.yml",
                   "dependencies:\n  - conda-forge::tensorflow=2.15.0=gpu\n"
                   "  - keras>=3\n  - pip:\n    - jax==0.4.1\n"),
              ElementsAre("tensorflow==2.15:2", "keras>=3.-1:3", "jax==0.4:5"));
}

TEST(PinsOf, OtherFilesPinNothing) {
  EXPECT_THAT(Pins("notes.txt", "tensorflow==2.15\n"), IsEmpty());
  EXPECT_THAT(Pins("requirements.txt", "tensorflow\n=\n==\n"), IsEmpty());
}

class Project : public ::testing::Test {
 protected:
  void Write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    (void)folder_.Write(name, text);
  }
  std::vector<std::string> Of(const std::string& script) const {
    return InWords(ProjectPins(folder_.path(script)));
  }
  TemporaryFolder folder_;
};

TEST_F(Project, TheNearestFolderThatPinsCountsUpToTheCheckout) {
  Write("requirements.txt", "tensorflow==2.3\n");
  Write("repo/.git/HEAD", "");
  Write("repo/src/train.py", "");
  EXPECT_THAT(Of("repo/src/train.py"), IsEmpty());
  Write("repo/requirements.txt", "tensorflow==2.15\n");
  Write("repo/src/pyproject.toml", "[tool.black]\n");
  EXPECT_THAT(Of("repo/src/train.py"), ElementsAre("tensorflow==2.15:1"));
  Write("repo/src/requirements.txt", "tensorflow==2.16\n");
  EXPECT_THAT(Of("repo/src/train.py"), ElementsAre("tensorflow==2.16:1"));
  EXPECT_THAT(Of("t.py"), ElementsAre("tensorflow==2.3:1"));
}

TEST_F(Project, PinsThatContradictEachOtherSayNothing) {
  Write("requirements.txt", "tensorflow==2.3\ntensorflow==2.4\njax==0.4\n");
  EXPECT_THAT(Of("t.py"), ElementsAre("jax==0.4:3"));
}

TEST_F(Project, WhatTheScriptSaysOfAReleaseCountsAlone) {
  Write("requirements.txt", "tensorflow==2.15\njax==0.4\n");
  SourceFacts facts;
  facts.versions = {{"tensorflow", "==", 2, 3, {}}, {"jax", ">=", 0, 3, {}}};
  AddProjectPins(folder_.path("t.py"), facts);
  ASSERT_EQ(facts.versions.size(), 3u);
  EXPECT_EQ(facts.versions[2].package, "jax");
}

}  // namespace
}  // namespace tilewise::python
