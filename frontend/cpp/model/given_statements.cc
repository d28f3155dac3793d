// What a statement changes without assigning to it, written behind it.

#include <string>

#include <fmt/format.h>

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

void Translator::WriteGivenInside(const Stmt* stmt) {
  writer_.Indent();
  WriteGiven(stmt);
  writer_.Dedent();
}

// Behind a check that the program got enough arguments, what it got is not known.
void Translator::WriteGivenArguments(const clang::IfStmt* check) {
  const clang::FunctionDecl* taker = CountsArgumentsOf(check->getCond());
  writer_.Indent();
  if (taker->getNumParams() < 2) {
    Say(check, "pass");
  } else {
    Say(check, fmt::format("{0}, {1} = _cpp.given_arguments({0}, {1})",
                           NameOf(taker->getParamDecl(0)), NameOf(taker->getParamDecl(1))));
  }
  writer_.Dedent();
}

}  // namespace tilewise::cpp
