// Parsing on demand, and the search for a node by its bytes.

#include "frontend/program/source_texts.h"

#include <fmt/format.h>

namespace tilewise::program {

void SourceTexts::Keep(const std::string& file, int32_t cell, std::string text) {
  texts_.emplace(Key(file, cell), std::move(text));
}

std::string_view SourceTexts::Text(const std::string& file, int32_t cell) const {
  const auto found = texts_.find({file, cell});
  return found == texts_.end() ? std::string_view() : std::string_view(found->second);
}

bool SourceTexts::Unpacks(std::string_view method, std::string_view argument) const {
  for (const auto& [key, text] : texts_) {
    for (const char quote : {'"', '\''}) {
      const std::string call = fmt::format(".{}({}{}{})", method, quote, argument, quote);
      for (size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
        const size_t line = text.rfind('\n', at) + 1;
        const size_t equals = text.find('=', line);
        if (equals < at && text.find(',', line) < equals) return true;
      }
    }
  }
  return false;
}

std::string_view SourceTexts::Text(const Span& span) const {
  const std::string_view text = Text(span.file, span.cell);
  const auto size = static_cast<int64_t>(text.size());
  if (span.begin < 0 || span.begin > size || span.end > size || span.begin >= span.end) return {};
  return text.substr(span.begin, span.end - span.begin);
}

const python::SyntaxTree* SourceTexts::Tree(const std::string& file, int32_t cell) {
  const Key key(file, cell);
  const auto found = trees_.find(key);
  if (found != trees_.end()) return found->second.get();
  std::shared_ptr<const python::SyntaxTree>& tree = trees_[key];
  const auto text = texts_.find(key);
  if (text == texts_.end()) return nullptr;
  absl::StatusOr<std::shared_ptr<const python::SyntaxTree>> parsed =
      python::SyntaxTree::Parse(file, text->second, cell);
  if (parsed.ok()) tree = *std::move(parsed);
  return tree.get();
}

namespace {

// The nodes from the root down to the innermost that holds the bytes.
std::vector<python::Node> PathTo(const python::SyntaxTree& tree, int64_t begin, int64_t end) {
  const TSNode innermost = ts_node_named_descendant_for_byte_range(
      tree.root().raw(), static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
  std::vector<python::Node> outwards;
  for (TSNode at = innermost; !ts_node_is_null(at); at = ts_node_parent(at)) {
    outwards.emplace_back(at, &tree);
  }
  return {outwards.rbegin(), outwards.rend()};
}

}  // namespace

python::Node SourceTexts::Find(const Span& span, std::string_view type) {
  if (span.begin >= span.end) return {};
  const python::SyntaxTree* tree = Tree(span.file, span.cell);
  if (tree == nullptr) return {};
  for (const python::Node& node : PathTo(*tree, span.begin, span.end)) {
    if (node.begin() == span.begin && node.end() == span.end && node.is(type)) return node;
  }
  return {};
}

python::Node SourceTexts::Around(const Span& span, std::string_view type) {
  const python::SyntaxTree* tree = span.begin >= span.end ? nullptr : Tree(span.file, span.cell);
  python::Node found;
  if (tree == nullptr) return found;
  for (const python::Node& node : PathTo(*tree, span.begin, span.end)) {
    if (node.is(type)) found = node;
  }
  return found;
}

std::vector<std::string_view> SourceTexts::FunctionsAround(const Span& span) {
  const python::SyntaxTree* tree = span.begin >= span.end ? nullptr : Tree(span.file, span.cell);
  std::vector<std::string_view> names;
  if (tree == nullptr) return names;
  for (const python::Node& node : PathTo(*tree, span.begin, span.end)) {
    if (node.is("function_definition")) names.push_back(node.field("name").text());
  }
  return names;
}

const python::Aliases& SourceTexts::AliasesOf(const std::string& file) {
  const auto found = aliases_.find(file);
  if (found != aliases_.end()) return found->second;
  python::Aliases& aliases = aliases_[file];
  aliases = {{"tf", "tensorflow"}, {"np", "numpy"}, {"keras", "tensorflow.keras"}};
  std::vector<SourceImport> imports;
  for (const auto& [key, text] : texts_) {
    if (key.first != file) continue;
    const python::SyntaxTree* tree = Tree(key.first, key.second);
    if (tree != nullptr) python::FindAliases(tree->root(), aliases, imports);
  }
  return aliases;
}

}  // namespace tilewise::program
