// A header that several sources include is read once for what each of them comes to.

#include "frontend/cpp/model/reached_facts.h"

#include <utility>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/project_files.h"
#include "frontend/cpp/source_walk.h"

namespace tilewise::cpp {
void AppendReachedFacts(const SyntaxTree& tree, const std::string& path, bool first,
                        const std::set<const clang::Decl*>& reached, std::set<std::string>& walked,
                        std::vector<ImportedFile>& files) {
  const clang::SourceManager& sources = tree.sources();
  const ProjectFiles project(sources);
  const auto keeps = [&](const clang::Decl* decl) {
    const clang::Decl* of = Templated(decl);
    if (of == nullptr) return false;
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(of)) of = method->getParent();
    return reached.contains(of->getCanonicalDecl()) &&
           walked.insert(decl->getLocation().printToString(sources)).second;
  };
  for (const clang::FileEntryRef each : tree.files()) {
    const clang::FileID id = sources.translateFile(each);
    if (id.isInvalid() || !project.Has(sources.getLocForStartOfFile(id))) continue;
    const bool is_main = id == sources.getMainFileID();
    if (is_main && first) continue;
    const std::string name = is_main ? path : NamedLike(each.getName().str(), path);
    SourceFacts found = CollectFacts(tree.context(), name, id, keeps);
    if (!found.calls.empty()) files.push_back({name, std::move(found)});
  }
}

}  // namespace tilewise::cpp
