// Clang leaves little but the text of a statement or a variable whose type is not declared.

#include <map>
#include <string>

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include "frontend/cpp/model/declared.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

constexpr size_t kLongestDropped = 600;

llvm::StringRef WordAt(llvm::StringRef text) {
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// The names that stand as arguments in the text, and whether as addresses: `a`, `&b`.
std::map<std::string, bool> NamedArguments(llvm::StringRef text) {
  std::map<std::string, bool> named;
  for (size_t at = text.find_first_of("(,"); at != llvm::StringRef::npos;
       at = text.find_first_of("(,", at + 1)) {
    llvm::StringRef argument = text.substr(at + 1).ltrim();
    const bool address = argument.consume_front("&");
    argument = argument.ltrim();
    const llvm::StringRef word = WordAt(argument);
    const llvm::StringRef behind = argument.substr(word.size()).ltrim();
    const bool whole = behind.starts_with(",") || behind.starts_with(")");
    if (!word.empty() && (address || whole)) named[word.str()] |= address;
  }
  return named;
}

// Where in the text between two statements another one begins; npos: nowhere, or what stands there
// depends on the preprocessor.
size_t StatementIn(llvm::StringRef text, clang::SourceLocation begin,
                   const clang::LangOptions& language) {
  const std::string copy = text.str();
  clang::Lexer lexer(begin, language, copy.data(), copy.data(), copy.data() + copy.size());
  size_t found = llvm::StringRef::npos;
  clang::Token token;
  for (bool last = false; !last;) {
    last = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::hash)) return llvm::StringRef::npos;
    if (token.isOneOf(clang::tok::semi, clang::tok::eof)) continue;
    const size_t at = token.getLocation().getRawEncoding() - begin.getRawEncoding();
    if (found == llvm::StringRef::npos) found = at;
  }
  return found;
}

}  // namespace

void Translator::WriteGivenInText(llvm::StringRef text, const clang::VarDecl* except) {
  const std::map<std::string, bool> named = NamedArguments(text);
  std::set<std::string> changed;
  for (const auto& [decl, name] : names_) {
    const auto* other = llvm::dyn_cast<clang::VarDecl>(decl);
    if (other == nullptr || other == except || !InSight(name)) continue;
    const auto argument = named.find(other->getNameAsString());
    if (argument == named.end()) continue;
    const clang::QualType type = other->getType();
    // By reference numbers alone count: a model or a tensor is what it was.
    if (argument->second || (type->isArithmeticType() && !type.isConstQualified())) {
      changed.insert(name);
    }
  }
  for (const std::string& name : changed) {
    writer_.Line(line_,
                 fmt::format("{0} = _cpp.changed({1}, 'a call that is not known maybe', {0})", name,
                             Quoted(name)));
  }
}

// The variables that stand there as arguments may be set; C++'s library copies them.
void Translator::WriteGivenInText(const clang::VarDecl* variable) {
  const clang::SourceLocation begin = sources_.getExpansionLoc(variable->getBeginLoc());
  const llvm::StringRef rest = sources_.getBufferData(sources_.getFileID(begin))
                                   .substr(sources_.getFileOffset(begin), kLongestDropped);
  const llvm::StringRef text = rest.take_until([](char c) { return c == ';' || c == '{'; });
  if (!text.starts_with("std::")) WriteGivenInText(text, variable);
}

// Clang leaves out a statement in which a name stands for nothing that it could continue with.
void Translator::WriteDropped(const clang::Stmt* before, const clang::Stmt* after) {
  if (!context_.getDiagnostics().hasErrorOccurred()) return;
  const clang::LangOptions& language = context_.getLangOpts();
  const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(
      sources_.getExpansionRange(before->getEndLoc()).getEnd(), 0, sources_, language);
  const clang::SourceLocation next = sources_.getExpansionLoc(after->getBeginLoc());
  if (end.isInvalid() || next.isInvalid() || end.isMacroID()) return;
  if (sources_.getFileID(end) != sources_.getFileID(next)) return;
  const unsigned from = sources_.getFileOffset(end), to = sources_.getFileOffset(next);
  if (to <= from) return;
  const llvm::StringRef gap =
      sources_.getBufferData(sources_.getFileID(end)).substr(from, to - from);
  const size_t at = StatementIn(gap, end, language);
  if (at == llvm::StringRef::npos) return;
  const llvm::StringRef text = gap.substr(at, kLongestDropped).rtrim();
  line_ = LineOf(end.getLocWithOffset(static_cast<int>(at)));
  const std::string shown = text.take_until([](char c) { return c == '\n' || c == ';'; }).str();
  writer_.Line(line_, fmt::format("_cpp.unfollowed({})",
                                  Quoted(fmt::format("'{}' is not followed: a declaration that it "
                                                     "needs was not found",
                                                     shown))));
  WriteGivenInText(text, nullptr);
}

}  // namespace tilewise::cpp
