// What a statement changes without assigning to it, written behind it.

#include <set>
#include <string>

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/given.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {

using clang::Stmt;

void Translator::WriteGiven(const Stmt* stmt) {
  if (stmt == nullptr) return;
  for (const Given& each : set_by_calls_.In(stmt)) {
    const std::string name = Visit(each.variable);
    if (each.keeps || name.find('(') != std::string::npos) continue;
    std::string value;
    if (each.file != nullptr) {
      value = fmt::format("{}.parse_file({})", name, Value(each.file));
    } else if (each.owner != nullptr) {
      value = fmt::format("_cpp.left({}, {}, {})", Quoted(each.owner->getQualifiedNameAsString()),
                          each.parameter, Quoted(name));
    } else if (each.option != nullptr) {
      value = fmt::format("_cpp.option_value({}, {})", Visit(each.option), name);
    } else {
      value = fmt::format("_cpp.changed({}, {}, {}, {})", Quoted(name), Quoted(each.by), name,
                          each.parameter);
    }
    Say(each.variable, fmt::format("{} = {}", name, value));
  }
}

// Clang leaves nothing of what a variable of a type that is not declared is made of but its text:
// the variables whose addresses stand there may be set.
void Translator::WriteGivenInText(const clang::VarDecl* variable) {
  constexpr size_t kLongest = 600;
  const clang::SourceLocation begin = sources_.getExpansionLoc(variable->getBeginLoc());
  const llvm::StringRef rest = sources_.getBufferData(sources_.getFileID(begin))
                                   .substr(sources_.getFileOffset(begin), kLongest);
  const llvm::StringRef text = rest.take_until([](char c) { return c == ';' || c == '{'; });
  std::set<std::string> named;
  for (size_t at = text.find('&'); at != llvm::StringRef::npos; at = text.find('&', at + 1)) {
    const llvm::StringRef before = text.take_front(at).rtrim();
    if (!before.ends_with("(") && !before.ends_with(",")) continue;
    named.insert(text.substr(at + 1)
                     .ltrim()
                     .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
                     .str());
  }
  std::set<std::string> changed;
  for (const auto& [decl, name] : names_) {
    const auto* other = llvm::dyn_cast<clang::VarDecl>(decl);
    const bool fits = other != nullptr && other != variable && InSight(name) &&
                      named.contains(other->getNameAsString());
    if (fits) changed.insert(name);
  }
  for (const std::string& name : changed) {
    writer_.Line(line_, fmt::format("{0} = _cpp.changed({1}, 'a call that is not known', {0})",
                                    name, Quoted(name)));
  }
}

void Translator::WriteGivenInside(const Stmt* stmt) {
  writer_.Indent();
  WriteGiven(stmt);
  writer_.Dedent();
}

// Behind a check that the program got enough arguments, what it got is not known.
void Translator::WriteGivenArguments(const clang::IfStmt* check) {
  const clang::FunctionDecl* main = CountsArgumentsOf(check->getCond());
  writer_.Indent();
  if (main->getNumParams() < 2) {
    Say(check, "pass");
  } else {
    Say(check, fmt::format("{0}, {1} = _cpp.given_arguments({0}, {1})",
                           NameOf(main->getParamDecl(0)), NameOf(main->getParamDecl(1))));
  }
  writer_.Dedent();
}

}  // namespace tilewise::cpp
