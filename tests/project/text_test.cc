// The text of the project: lines that fit a terminal, words of the field.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/project/source_tree.h"

namespace tilewise {
namespace {

constexpr int64_t kColumns = 100;

int64_t ColumnsOf(std::string_view line) {
  return std::ranges::count_if(line, [](char c) {
    constexpr unsigned char kMask = 0xC0, kContinued = 0x80;
    return (static_cast<unsigned char>(c) & kMask) != kContinued;
  });
}

// Lines that are not the project's own to break: data in another language.
class OwnLines {
 public:
  explicit OwnLines(const std::string& path)
      : in_tests_(path.starts_with("tests/")),
        generated_(path.starts_with("docs/rules/")),
        markdown_(path.ends_with(".md")) {}

  // Takes the file's lines in their order.
  bool IsOwn(const std::string& line) {
    if (markdown_) return IsOwnMarkdown(line);
    const bool was_raw = raw_;
    if (!raw_) raw_ = in_tests_ && line.find("R\"") != std::string::npos;
    const bool is_raw = raw_ || was_raw;
    if (line.find(")\"") != std::string::npos) raw_ = false;
    return !is_raw;
  }

 private:
  // Pages of rules quote fixtures, and a block without a language what the
  // program prints. A word as long as a URL cannot be broken.
  bool IsOwnMarkdown(const std::string& line) {
    if (line.starts_with("```")) {
      fenced_ = !fenced_;
      quoted_ = fenced_ && (generated_ || line == "```");
    }
    if (fenced_ && quoted_) return false;
    return line.find("https://") == std::string::npos;
  }

  bool in_tests_, generated_, markdown_;
  bool raw_ = false, fenced_ = false, quoted_ = false;
};

void ExpectShortLines(const std::string& path) {
  OwnLines own(path);
  std::istringstream text(ReadProjectFile(path));
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (own.IsOwn(line)) {
      EXPECT_LE(ColumnsOf(line), kColumns) << path << ":" << number;
    }
  }
}

TEST(Lines, OfCodeFitATerminal) {
  for (const std::string& path :
       ProjectFiles("", {".cc", ".h", ".def", ".proto", ".txtpb", ".cmake", "CMakeLists.txt"})) {
    // A table with one line an op.
    if (path != "graph/op_kinds.def") ExpectShortLines(path);
  }
  for (const std::string& path : ProjectFiles("scripts", {""})) {
    ExpectShortLines(path);
  }
}

TEST(Lines, OfDocumentsFitATerminal) {
  const std::vector<std::string> pages = ProjectFiles("", {".md"});
  EXPECT_GT(pages.size(), 100u);
  // What scripts/accuracy and scripts/corpus write.
  const std::set<std::string> tables = {"validation/CORPUS.md", "validation/RESULTS.md"};
  for (const std::string& path : pages) {
    if (!tables.contains(path)) ExpectShortLines(path);
  }
}

TEST(Words, AreThoseOfTheField) {
  const std::regex own_word("\\b(exchang\\w+|believ\\w+|beliefs?|expensive(er|est)|trips?)\\b",
                            std::regex::icase);
  for (const std::string& path : ProjectFiles("", {".md"})) {
    std::istringstream text(ReadProjectFile(path));
    for (std::string line; std::getline(text, line);) {
      std::smatch word;
      EXPECT_FALSE(std::regex_search(line, word, own_word))
          << path << ": \"" << word.str() << "\": " << line;
    }
  }
}

// "sim/lowering/fusion" and "sim/collective.cc"; a header and its source may be
// named without their endings.
TEST(Documents, NameFilesThatExist) {
  namespace fs = std::filesystem;
  const fs::path root(TILEWISE_SOURCE_DIR);
  const std::regex quoted("`([a-z]+)/([A-Za-z0-9_./-]*)`");
  int named = 0;
  for (const std::string& path : ProjectFiles("docs", {".md"})) {
    if (path.starts_with("docs/rules/")) continue;
    const std::string text = ReadProjectFile(path);
    for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it) {
      const std::string folder = (*it)[1];
      if (folder == "build" || !fs::is_directory(root / folder)) continue;
      ++named;
      const std::string name = folder + "/" + std::string((*it)[2]);
      EXPECT_TRUE(fs::exists(root / name) || fs::exists(root / (name + ".h")))
          << path << ": " << name;
    }
  }
  EXPECT_GT(named, 50);
}

}  // namespace
}  // namespace tilewise
