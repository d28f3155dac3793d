// A file is asked for once for each of its declarations: what is known of it is kept.

#include "frontend/cpp/project_files.h"

#include <filesystem>

namespace tilewise::cpp {

ProjectFiles::ProjectFiles(const clang::SourceManager& sources) : sources_(sources) {
  const auto main = sources_.getFileEntryRefForID(sources_.getMainFileID());
  if (!main.has_value()) return;
  namespace fs = std::filesystem;
  fs::path folder = fs::path(main->getName().str()).parent_path();
  if (folder.parent_path() != folder.root_path()) folder = folder.parent_path();
  folder_ = folder.string() + "/";
}

bool ProjectFiles::Has(clang::SourceLocation at) const {
  if (at.isInvalid()) return false;
  const clang::SourceLocation place = sources_.getExpansionLoc(at);
  const auto [known, first] = known_.emplace(sources_.getFileID(place), false);
  if (first) {
    known->second =
        sources_.isInMainFile(place) || (!sources_.isInSystemHeader(place) && !folder_.empty() &&
                                         sources_.getFilename(place).starts_with(folder_));
  }
  return known->second;
}

}  // namespace tilewise::cpp
