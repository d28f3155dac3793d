// Which files are the project's own, however they are named.

#include "frontend/cpp/project_files.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// A checkout with a source and a header, which is the current folder.
class CppProject : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    root_ = fs::path(testing::TempDir()) / "cpp_project";
    fs::remove_all(root_);
    fs::create_directories(root_ / ".git");
    fs::create_directories(root_ / "src");
    fs::create_directories(root_ / "include");
    std::ofstream(root_ / "CMakeLists.txt") << "set(CMAKE_CXX_STANDARD 20)\n";
    std::ofstream(root_ / "include" / "sizes.h") << "constexpr int kWidth = 60;\n";
    std::ofstream(root_ / "src" / "a.cpp") << kText;
    fs::current_path(root_);
  }
  void TearDown() override { fs::current_path(before_); }

  static std::string Sizes(const std::string& path, const std::vector<std::string>& flags = {}) {
    return ProgramOf(kText, path, flags).text;
  }

  static constexpr char kText[] =
      "#include <torch/torch.h>\n#include \"sizes.h\"\n"
      "int main() { torch::nn::Linear layer(8, kWidth); }\n";
  fs::path before_, root_;
};

TEST_F(CppProject, RelativeNamesFindTheCheckout) {
  EXPECT_EQ(cpp::CheckoutOf("src/a.cpp"), fs::current_path().string());
  EXPECT_EQ(cpp::StandardOf("src/a.cpp"), "-std=c++20");
  EXPECT_EQ(cpp::NamedLike(fs::current_path() / "include", "src/a.cpp"), "include");
  EXPECT_EQ(cpp::NamedLike("/x/include", "/x/src/a.cpp"), "/x/include");
}

TEST_F(CppProject, BuildFilesTellTheStandard) {
  fs::remove(root_ / "CMakeLists.txt");
  EXPECT_EQ(cpp::StandardOf("src/a.cpp"), "-std=c++17");
  for (const auto& [name, line, standard] : std::vector<std::array<std::string, 3>>{
           {".bazelrc", "build --cxxopt=-std=c++20\n", "-std=c++20"},
           {"Makefile", "CXXFLAGS += -std=gnu++2a\n", "-std=c++20"},
           {"meson.build", "default_options: ['cpp_std=c++23']\n", "-std=c++23"}}) {
    std::ofstream(root_ / name) << line;
    EXPECT_EQ(cpp::StandardOf("src/a.cpp"), standard) << name;
    fs::remove(root_ / name);
  }
}

TEST_F(CppProject, HeadersOfRelativeFoldersAreItsOwn) {
  const std::string absolute = (root_ / "src" / "a.cpp").string();
  const std::string known = Sizes(absolute);
  EXPECT_THAT(known, testing::HasSubstr("60"));
  EXPECT_EQ(Sizes("src/a.cpp"), known);
  const std::vector<std::string> flags = {"-std=c++17", "-Iinclude"};
  EXPECT_EQ(Sizes("src/a.cpp", flags), known);
  EXPECT_EQ(Sizes(absolute, flags), known);
}

TEST_F(CppProject, AHugeHeaderIsItsOwnWhereItUsesTheLibraries) {
  std::string padding;
  for (int i = 0; i < 5000; ++i) padding += "// One more line of a long header of the project.\n";
  for (const bool uses : {true, false}) {
    std::ofstream(root_ / "include" / "sizes.h")
        << padding << (uses ? "// For torch.\n" : "") << "inline int Twice(int x) {\n"
        << "  return 2 * x;\n}\n";
    const std::string text = ProgramOf(
                                 "#include <torch/torch.h>\n#include \"sizes.h\"\n"
                                 "int main() { torch::nn::Linear layer(8, Twice(30)); }\n",
                                 (root_ / "src" / "a.cpp").string())
                                 .text;
    EXPECT_EQ(text.find("def Twice") != std::string::npos, uses);
  }
}

}  // namespace
}  // namespace tilewise
