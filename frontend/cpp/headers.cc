// Libraries are known by the folders of their headers.

#include "frontend/cpp/headers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Preprocessor.h>
#include <fmt/format.h>

#include "frontend/cpp/project_files.h"
#include "frontend/cpp/stand_ins.h"

namespace tilewise::cpp {
namespace {

// The library that a header belongs to, by how it is included; empty: none.
std::string_view LibraryOf(std::string_view header) {
  struct Mark {
    std::string_view part;
    std::string_view library;
  };
  // XLA lay in TensorFlow's tree before it had one of its own.
  constexpr std::array<Mark, 9> kMarks = {{{"compiler/xla/", "xla"},
                                           {"xla/", "xla"},
                                           {"pjrt/", "xla"},
                                           {"tensorflow/cc/", "tensorflow"},
                                           {"tensorflow/core/", "tensorflow"},
                                           {"torch/", "torch"},
                                           {"ATen/", "torch"},
                                           {"c10/", "torch"},
                                           {"tensorflow/", "tensorflow"}}};
  // PJRT's interface of C is one header, which projects copy.
  if (header == "pjrt_c_api.h") return "xla";
  const auto found = std::find_if(kMarks.begin(), kMarks.end(), [&](const Mark& mark) {
    return header.starts_with(mark.part) ||
           (mark.part.find('/') != mark.part.size() - 1 && header.find(mark.part) < header.size());
  });
  return found == kMarks.end() ? std::string_view() : found->library;
}

// The library in whose folder an installed header lies, "/opt/libtorch/include/ATen/ATen.h"; empty:
// none.
std::string_view LibraryOfFile(llvm::StringRef path) {
  for (size_t slash = path.find('/'); slash != llvm::StringRef::npos;
       slash = path.find('/', slash + 1)) {
    const std::string_view library = LibraryOf(std::string_view(path.substr(slash + 1)));
    if (!library.empty()) return library;
  }
  return "";
}

// Whether a header changes with the project, and not with what is installed beside it.
bool IsWatched(const clang::SourceManager& sources, clang::FileID id, const ProjectFiles& project) {
  const clang::SrcMgr::FileInfo& file = sources.getSLocEntry(id).getFile();
  return project.Has(file.getIncludeLoc()) || project.Has(sources.getLocForStartOfFile(id)) ||
         !(clang::SrcMgr::isSystem(file.getFileCharacteristic()) ||
           !LibraryOfFile(file.getName()).empty());
}

// Adds the paths at which the compiler would look for headers that it did not find.
void AddAbsent(const TranslationUnit& unit, std::set<std::string>& files) {
  const std::vector<std::string> absent = AbsentHeaders(unit);
  const clang::HeaderSearch& search = unit.tree->preprocessor().getHeaderSearchInfo();
  for (auto folder = search.search_dir_begin(); folder != search.search_dir_end(); ++folder) {
    const llvm::StringRef name = folder->getName();
    if (!folder->isNormalDir() || name.starts_with("/tilewise/")) continue;
    for (const std::string& header : absent) files.insert(fmt::format("{}/{}", name.str(), header));
  }
}

// Where a project usually has the headers of a source.
std::vector<std::filesystem::path> FoldersOfHeaders(const std::string& path) {
  constexpr int kLevels = 3;
  std::vector<std::filesystem::path> folders;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (int level = 0; level < kLevels; ++level, folder /= "..") {
    for (const char* part : {"", "include", "src"}) folders.push_back(folder / part);
  }
  return folders;
}

}  // namespace

bool MayUseLibraries(std::string_view text) {
  constexpr std::array<std::string_view, 8> kWords = {"torch", "xla",  "tensorflow", "PjRt",
                                                      "Xla",   "at::", "c10::",      "PJRT_"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool HeadersMayUseLibraries(const std::string& path, std::string_view text) {
  constexpr size_t kMaxHeaders = 32;
  std::vector<std::string> names;
  for (size_t at = text.find("#include");
       at != std::string_view::npos && names.size() < kMaxHeaders;
       at = text.find("#include", at + 1)) {
    const size_t begin = text.find_first_of("<\"\n", at);
    const size_t end =
        begin == std::string_view::npos ? begin : text.find_first_of(">\"\n", begin + 1);
    if (end != std::string_view::npos) names.emplace_back(text.substr(begin + 1, end - begin - 1));
  }
  for (const std::filesystem::path& folder : FoldersOfHeaders(path)) {
    for (const std::string& name : names) {
      std::error_code error;
      const std::filesystem::path file = folder / name;
      if (name.find('.') == std::string::npos || !std::filesystem::is_regular_file(file, error)) {
        continue;
      }
      std::ifstream in(file);
      const std::string header{std::istreambuf_iterator<char>(in),
                               std::istreambuf_iterator<char>()};
      if (MayUseLibraries(header)) return true;
    }
  }
  return false;
}

std::vector<std::string> AbsentHeaders(const TranslationUnit& unit) {
  std::vector<std::string> headers = unit.stand_ins;
  headers.insert(headers.end(), unit.missing_headers.begin(), unit.missing_headers.end());
  return headers;
}

std::vector<std::string> LibrariesOf(const clang::SourceManager& sources,
                                     const std::vector<std::string>& absent_headers) {
  const auto main = sources.getFileEntryRefForID(sources.getMainFileID());
  std::vector<std::string> libraries;
  const auto add = [&](std::string_view library) {
    if (library.empty()) return;
    if (std::find(libraries.begin(), libraries.end(), library) != libraries.end()) return;
    libraries.emplace_back(library);
  };
  for (const std::string& header : absent_headers) add(LibraryOf(header));
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    if (!main || file->first != *main) add(LibraryOfFile(file->first.getName()));
  }
  std::sort(libraries.begin(), libraries.end());
  return libraries;
}

std::vector<std::string> ConsultedFiles(const TranslationUnit& unit) {
  const clang::SourceManager& sources = unit.tree->sources();
  const ProjectFiles project(sources);
  std::set<std::string> files;
  if (!unit.database.empty()) files.insert(unit.database);
  for (const clang::FileEntryRef each : unit.tree->files()) {
    const clang::FileID id = sources.translateFile(each);
    const llvm::StringRef name = each.getName();
    if (id.isInvalid() || id == sources.getMainFileID() || name.starts_with("/tilewise/")) continue;
    if (IsWatched(sources, id, project)) files.insert(name.str());
  }
  AddAbsent(unit, files);
  return {files.begin(), files.end()};
}

}  // namespace tilewise::cpp
