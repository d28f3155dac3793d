// What the text of a program says beside its first source, for the rules on source code.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/cpp/syntax_tree.h"
#include "workload/source_facts.h"

namespace tilewise::cpp {

// Appends what stands in the project's files that `tree` reads and that the program comes to.
// `reached`: the declarations, as ReachedFrom() gives them. The file at `path` itself is left out
// where it is the `first` source, whose facts are taken whole. `walked`: the places of declarations
// that were read before.
void AppendReachedFacts(const SyntaxTree& tree, const std::string& path, bool first,
                        const std::set<const clang::Decl*>& reached, std::set<std::string>& walked,
                        std::vector<ImportedFile>& files);

}  // namespace tilewise::cpp
