// What of a program a source needs that it does not define itself.

#pragma once

#include <set>
#include <string>

#include <clang/AST/ASTContext.h>

namespace tilewise::cpp {

struct Reached {
  // The full names of the project's classes and functions whose bodies the source does not have.
  std::set<std::string> lacking;
  // The project's declarations, each by its first one (getCanonicalDecl).
  std::set<const clang::Decl*> declared;
};

// What the code of a source comes to. `asked`: that of these classes and functions alone; null:
// all that stands in the source itself. What headers declare and nothing comes to is left out, for
// each source that is looked into takes Clang seconds.
Reached ReachedFrom(const clang::ASTContext& context, const std::set<std::string>* asked = nullptr);

}  // namespace tilewise::cpp
