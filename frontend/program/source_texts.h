// The texts of the user's files, and their syntax trees where locations are
// asked for: made when the first is.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/program/source_names.h"
#include "python/syntax.h"

namespace tilewise::program {

class SourceTexts {
 public:
  void Keep(const std::string& file, int32_t cell, std::string text);
  // Returns an empty text where the file is not the user's.
  std::string_view Text(const std::string& file, int32_t cell) const;
  std::string_view Text(const Span& span) const;
  // The node that has exactly these bytes and that type; null: there is none.
  python::Node Find(const Span& span, std::string_view type);
  // The innermost node of that type that holds the span.
  python::Node Around(const Span& span, std::string_view type);
  // The names of the functions in whose bodies the span stands, the outermost first.
  std::vector<std::string_view> FunctionsAround(const Span& span);
  // Whether a line gives several names what a call of that method with that text gives.
  bool Unpacks(std::string_view method, std::string_view argument) const;
  // What the imports of all cells of a file bind.
  const python::Aliases& AliasesOf(const std::string& file);

 private:
  const python::SyntaxTree* Tree(const std::string& file, int32_t cell);

  using Key = std::pair<std::string, int32_t>;
  std::map<Key, std::string> texts_;
  std::map<Key, std::shared_ptr<const python::SyntaxTree>> trees_;
  std::map<std::string, python::Aliases> aliases_;
};

}  // namespace tilewise::program
