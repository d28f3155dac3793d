// A file is asked for once for each of its declarations: what is known of it is kept.

#include "frontend/cpp/project_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>

#include "frontend/cpp/headers.h"

namespace tilewise::cpp {
namespace {

namespace fs = std::filesystem;

// Folders of libraries, which a project may hold beside its own headers.
constexpr std::array<std::string_view, 24> kLibraries = {
    "torch",       "ATen",       "c10",      "caffe2",   "xla",    "tensorflow",
    "tsl",         "absl",       "google",   "boost",    "cuda",   "opencv2",
    "Eigen",       "gflags",     "glog",     "pybind11", "fmt",    "third_party",
    "third-party", "thirdparty", "3rdparty", "external", "extern", "vendor"};
// A header of so many bytes that uses none of the libraries is a library in one file, as json.hpp
// is.
constexpr int64_t kLargestHeader = 128 << 10;

// Whether a header is of a library that lies in the project's folder and that the source is no
// part of. `folder` ends with a slash.
bool LiesInLibrary(std::string_view header, const std::string& folder, std::string_view source) {
  for (size_t begin = folder.size();;) {
    const size_t end = header.find('/', begin);
    if (end == std::string_view::npos) return false;
    const std::string_view name = header.substr(begin, end - begin);
    const bool known = std::find(kLibraries.begin(), kLibraries.end(), name) != kLibraries.end();
    if (known && !source.starts_with(header.substr(0, end + 1))) return true;
    begin = end + 1;
  }
}

}  // namespace

fs::path FolderOf(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return (error ? fs::path(path) : absolute).lexically_normal().parent_path();
}

std::string NamedLike(const fs::path& path, const std::string& file) {
  std::error_code error;
  const fs::path from = fs::current_path(error);
  if (error || fs::path(file).is_absolute()) return path.string();
  return path.lexically_proximate(from).string();
}

std::string CheckoutOf(const std::string& path) {
  constexpr int kLevels = 10;
  std::error_code error;
  fs::path folder = FolderOf(path);
  for (int level = 0; level < kLevels && folder.has_relative_path(); ++level) {
    if (fs::exists(folder / ".git", error)) return folder.string();
    folder = folder.parent_path();
  }
  return "";
}

std::string StandardOf(const std::string& path) {
  constexpr int kLevels = 6;
  constexpr size_t kMostBytes = 256 << 10;
  constexpr const char* kBuildFiles[] = {"CMakeLists.txt", ".bazelrc", "BUILD",
                                         "BUILD.bazel",    "Makefile", "meson.build"};
  static const std::regex asks(
      R"((?:CMAKE_CXX_STANDARD\s+|cxx_std_|CXX_STANDARD\s+|std[=:](?:c|gnu)\+\+)(2[036ab]))");
  fs::path folder = FolderOf(path);
  for (int level = 0; level < kLevels && folder.has_relative_path(); ++level) {
    std::error_code error;
    for (const char* name : kBuildFiles) {
      if (!fs::is_regular_file(folder / name, error)) continue;
      std::ifstream in(folder / name);
      std::string text(kMostBytes, '\0');
      in.read(text.data(), static_cast<std::streamsize>(text.size()));
      text.resize(static_cast<size_t>(in.gcount()));
      if (std::smatch found; std::regex_search(text, found, asks)) {
        return found[1] == "20" || found[1] == "2a" ? "-std=c++20" : "-std=c++23";
      }
    }
    if (fs::exists(folder / ".git", error)) break;
    folder = folder.parent_path();
  }
  return "-std=c++17";
}

ProjectFiles::ProjectFiles(const clang::SourceManager& sources) : sources_(sources) {
  const auto main = sources_.getFileEntryRefForID(sources_.getMainFileID());
  if (!main.has_value()) return;
  source_ = Absolute(main->getName());
  std::string root = CheckoutOf(source_);
  if (root.empty()) {
    fs::path folder = fs::path(source_).parent_path();
    if (folder.parent_path() != folder.root_path()) folder = folder.parent_path();
    root = folder.string();
  }
  folder_ = root + "/";
}

std::string ProjectFiles::Absolute(llvm::StringRef name) const {
  llvm::SmallString<256> path(name);
  sources_.getFileManager().makeAbsolutePath(path);
  return fs::path(path.str().str()).lexically_normal().string();
}

bool ProjectFiles::Has(clang::SourceLocation at) const {
  if (at.isInvalid()) return false;
  const clang::SourceLocation place = sources_.getExpansionLoc(at);
  const auto [known, is_new] = known_.emplace(sources_.getFileID(place), false);
  if (is_new) {
    const std::string file = Absolute(sources_.getFilename(place));
    const auto entry = sources_.getFileEntryRefForID(known->first);
    const bool own = entry.has_value() && (entry->getSize() <= kLargestHeader ||
                                           MayUseLibraries(sources_.getBufferData(known->first)));
    known->second = sources_.isInMainFile(place) ||
                    (own && !sources_.isInSystemHeader(place) && !folder_.empty() &&
                     file.starts_with(folder_) && !LiesInLibrary(file, folder_, source_));
  }
  return known->second;
}

}  // namespace tilewise::cpp
