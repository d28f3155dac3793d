// Reads C++ sources for the calls that rules know, on Clang's token stream.

#include "frontend/cpp/read_cpp.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include "frontend/text_file.h"

namespace tilewise {
namespace {

struct CppToken {
  clang::tok::TokenKind kind;
  std::string_view text;
  int64_t offset;
};

std::vector<CppToken> Tokenize(const std::string& text) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus17 = true;
  language.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                     text.data() + text.size());
  std::vector<CppToken> tokens;
  for (;;) {
    clang::Token token;
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) return tokens;
    const size_t end = lexer.getCurrentBufferOffset();
    const size_t begin = end - token.getLength();
    tokens.push_back({token.getKind(), std::string_view(text).substr(begin, token.getLength()),
                      static_cast<int64_t>(begin)});
  }
}

// A run of `a::b::c` in the tokens.
struct QualifiedName {
  std::string name;
  size_t begin = 0;
  size_t end = 0;  // one past its last token
};

QualifiedName NameAt(const std::vector<CppToken>& tokens, size_t at) {
  QualifiedName name;
  name.begin = at;
  while (at < tokens.size() && tokens[at].kind == clang::tok::raw_identifier) {
    name.name += tokens[at].text;
    name.end = ++at;
    if (at + 1 >= tokens.size() || tokens[at].kind != clang::tok::coloncolon ||
        tokens[at + 1].kind != clang::tok::raw_identifier) {
      break;
    }
    name.name += "::";
    ++at;
  }
  return name;
}

struct CppOp {
  std::string_view cpp;
  std::string_view python;
};
constexpr std::array kOps = {
#define TW_CPP_OP(cpp, python) CppOp{cpp, python},
#include "frontend/cpp/op_names.def"
#undef TW_CPP_OP
};

// What short names may stand for: namespaces made visible, and aliases. Of the namespaces only
// those that an op's name starts with, so that their number does not grow with the file.
struct Visible {
  std::set<std::string, std::less<>> namespaces = {""};
  std::map<std::string, std::string, std::less<>> aliases;

  void Add(const std::string& prefix) {
    const auto starts = [&](const CppOp& op) { return op.cpp.starts_with(prefix); };
    if (std::ranges::any_of(kOps, starts)) namespaces.insert(prefix);
  }
};

// `using namespace X;` and `namespace A = X;`, wherever they stand.
Visible VisibleNames(const std::vector<CppToken>& tokens) {
  Visible visible;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text == "using" && tokens[i + 1].text == "namespace") {
      visible.Add(NameAt(tokens, i + 2).name + "::");
    }
    if (tokens[i].text == "namespace" && tokens[i + 2].text == "=") {
      visible.aliases[std::string(tokens[i + 1].text)] = NameAt(tokens, i + 3).name;
    }
    if (tokens[i].text == "namespace" && tokens[i + 2].text == "{") {
      visible.Add(std::string(tokens[i + 1].text) + "::");
    }
  }
  return visible;
}

// The Python name of the op that `name` can stand for; empty when none.
std::string_view PythonName(const std::string& name, const Visible& visible) {
  std::string full = name;
  const size_t colon = name.find("::");
  if (colon != std::string::npos) {
    const auto alias = visible.aliases.find(std::string_view(name).substr(0, colon));
    if (alias != visible.aliases.end()) {
      full = alias->second + name.substr(colon);
    }
  }
  for (const CppOp& op : kOps) {
    if (!op.cpp.ends_with(full)) continue;
    if (visible.namespaces.contains(op.cpp.substr(0, op.cpp.size() - full.size()))) {
      return op.python;
    }
  }
  return {};
}

// Lines and columns of ascending offsets, in one sweep over the text.
class LocationFinder {
 public:
  LocationFinder(const std::string& path, std::string_view text)
      : text_(text), place_{.file = path, .line = 1, .column = 1} {}

  Location At(int64_t offset) {
    for (; offset_ < offset; ++offset_) {
      const bool line_end = text_[offset_] == '\n';
      place_.line += line_end ? 1 : 0;
      place_.column = line_end ? 1 : place_.column + 1;
    }
    return place_;
  }

 private:
  std::string_view text_;
  int64_t offset_ = 0;
  Location place_;
};

}  // namespace

absl::StatusOr<Workload> ReadCpp(const InputFile& file, const LoadOptions& /*options*/) {
  const std::string& path = file.path;
  // A token of one letter takes 32 bytes.
  constexpr size_t kLargestSource = size_t{8} << 20;
  if (file.bytes.size() > kLargestSource) {
    return InvalidInput(fmt::format("{}: C++ source has {} bytes, expected at most {}", path,
                                    file.bytes.size(), kLargestSource));
  }
  TW_ASSIGN_OR_RETURN(const std::string text, CopyText(file));
  const std::vector<CppToken> tokens = Tokenize(text);
  const Visible visible = VisibleNames(tokens);
  LocationFinder places(path, text);
  Workload workload;
  workload.name = path;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != clang::tok::raw_identifier) continue;
    const QualifiedName name = NameAt(tokens, i);
    const std::string_view python = PythonName(name.name, visible);
    if (!python.empty()) {
      workload.facts.calls.push_back(
          {.name = std::string(python), .location = places.At(tokens[i].offset)});
    }
    i = name.end - 1;
  }
  if (workload.facts.calls.empty()) {
    workload.notes.push_back({.rule = "RD003",
                              .name = "nothing-read",
                              .severity = Severity::kInfo,
                              .location = {.file = path},
                              .message = "no TensorFlow C++ op is called by name in this file; "
                                         "nothing of it is linted"});
  }
  workload.files.push_back({.path = path, .text = text});
  return workload;
}

}  // namespace tilewise
