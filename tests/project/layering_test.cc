// The #includes of the sources against docs/architecture.md: the layers of its
// section 2 and the library fences of its section 8.

#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/project/source_tree.h"

namespace tilewise {
namespace {

// Folder -> layer, from the table of section 2.
std::map<std::string, int> Layers() {
  std::map<std::string, int> layers;
  std::istringstream text(ReadProjectFile("docs/architecture.md"));
  for (std::string line; std::getline(text, line);) {
    const std::vector<std::string> cells = TableCells(line);
    if (cells.size() != 3 || cells[0].size() != 1) continue;
    if (cells[0][0] < '0' || cells[0][0] > '9') continue;
    layers[cells[1].substr(1, cells[1].size() - 2)] = cells[0][0] - '0';
  }
  return layers;
}

bool Below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + "/");
}

// The longest folder of the table that holds `path`; "" when none does.
std::string FolderOf(const std::string& path, const std::map<std::string, int>& layers) {
  std::string found;
  for (const auto& [folder, layer] : layers) {
    if (Below(path, folder) && folder.size() > found.size()) found = folder;
  }
  return found;
}

std::vector<std::string> Sources() { return ProjectFiles("", {".cc", ".h", ".def"}); }

TEST(Layering, TableOfTheDocumentIsRead) {
  const std::map<std::string, int> layers = Layers();
  EXPECT_EQ(layers.at("base"), 0);
  EXPECT_EQ(layers.at("sim/lowering"), 2);
  EXPECT_EQ(layers.at("cli"), 8);
  EXPECT_EQ(layers.size(), 23u);
}

TEST(Layering, FoldersIncludeOnlyLowerLayers) {
  const std::map<std::string, int> layers = Layers();
  int checked = 0;
  for (const std::string& path : Sources()) {
    const std::string from = FolderOf(path, layers);
    if (from.empty()) continue;
    for (const Include& include : IncludesOf(path)) {
      const std::string to = FolderOf(include.name, layers);
      if (!include.quoted || to.empty() || to == from) continue;
      ++checked;
      EXPECT_LT(layers.at(to), layers.at(from)) << path << " includes \"" << include.name << "\"";
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(Layering, OnlyTheCommandLineCallsReaders) {
  for (const std::string& path : Sources()) {
    if (Below(path, "frontend") || Below(path, "cli") || Below(path, "tests") ||
        Below(path, "bench") || Below(path, "fuzz") || Below(path, "tidy")) {
      continue;
    }
    for (const Include& include : IncludesOf(path)) {
      EXPECT_FALSE(Below(include.name, "frontend"))
          << path << " includes \"" << include.name << "\"";
    }
  }
}

TEST(Layering, EstimatorAndSimulatorAreBlindToEachOther) {
  for (const std::string& path : Sources()) {
    for (const Include& include : IncludesOf(path)) {
      if (Below(path, "estimator")) {
        EXPECT_FALSE(include.name.starts_with("sim/") && !include.name.starts_with("sim/lowering/"))
            << path << " includes " << include.name;
      }
      if (Below(path, "sim")) {
        EXPECT_FALSE(Below(include.name, "estimator")) << path;
      }
    }
  }
}

// How a library of section 8 shows in an #include, and the words that find its
// row in the table.
struct Library {
  std::string_view include_prefix;
  std::string_view row;
};
constexpr Library kLibraries[] = {
    {"clang/", "Clang"},
    {"llvm/", "Clang"},
    {"google/", "Protocol"},
    {"protozero/", "protozero"},
    {"simdjson.h", "simdjson"},
    {"zlib.h", "zlib"},
    {"zip.h", "libzip"},
    {"boost/", "Boost"},
    {"boost/container/", "Boost.Graph"},
    {"boost/graph/", "Boost.Graph"},
    {"boost/pfr", "Boost.PFR"},
    {"boost/regex", "Boost.Regex"},
    {"CLI/", "CLI11"},
    {"gtest/", "GoogleTest"},
    {"gmock/", "GoogleTest"},
    {"benchmark/", "GoogleTest"},
    {"tree_sitter/", "tree-sitter"},
    {"nlohmann/", "nlohmann"},
    {"sqlite3", "SQLite"},
    {"tbb/", "oneTBB"},
    {"libpq", "libpq"},
    {"mpi.h", "MPI"},
};

// The folders of the table's last cell: every word in backticks, and `report`
// and the like; "readers" stands for the frontend.
std::vector<std::string> FencesOf(std::string_view row_words) {
  std::vector<std::string> fences;
  std::istringstream text(ReadProjectFile("docs/architecture.md"));
  for (std::string line; std::getline(text, line);) {
    const std::vector<std::string> cells = TableCells(line);
    if (cells.size() != 3 || cells[1].find(row_words) == std::string::npos) {
      continue;
    }
    const std::string& last = cells[2];
    for (size_t at = last.find('`'); at != std::string::npos;) {
      const size_t end = last.find('`', at + 1);
      fences.push_back(last.substr(at + 1, end - at - 1));
      at = last.find('`', end + 1);
    }
    if (last.find("readers") != std::string::npos) {
      fences.push_back("frontend");
    }
  }
  return fences;
}

TEST(Fences, LibrariesStayInTheirFolders) {
  for (const Library& library : kLibraries) {
    const std::vector<std::string> fences = FencesOf(library.row);
    for (const std::string& path : Sources()) {
      if (Below(path, "tests") || Below(path, "bench")) continue;
      bool inside = false;
      for (const std::string& fence : fences) inside |= Below(path, fence);
      if (inside) continue;
      for (const Include& include : IncludesOf(path)) {
        EXPECT_FALSE(include.name.starts_with(library.include_prefix))
            << path << " includes <" << include.name << ">";
      }
    }
  }
}

TEST(Fences, RowsOfTheDocumentAreRead) {
  EXPECT_EQ(FencesOf("Boost.Graph"), std::vector<std::string>{"graph"});
  EXPECT_EQ(FencesOf("CLI11"), std::vector<std::string>{"cli"});
}

}  // namespace
}  // namespace tilewise
