// Parsing with tree-sitter, and the walks over nodes that need its cursor.

#include "python/syntax.h"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <time.h>

#include "python/parser_memory.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace tilewise::python {
namespace {

// Parsing is linear on real code; hostile text may send the parser's error
// recovery astray. What counts is time on a CPU, so that no text is refused
// because the machine is busy.
constexpr double kParseSeconds = 4;
constexpr uint64_t kSliceMicroseconds = 100'000;

double CpuSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The end of the statement that begins at `at`: its line's, or that of a later one where brackets
// or a string of one line are open.
size_t EndOfStatement(std::string_view text, size_t at) {
  int64_t depth = 0;
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (quote != 0) {
      if (c == quote || c == '\n') quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (depth <= 0 && (c == '\n' || c == '#' || c == ';')) {
      break;
    }
  }
  return std::min(at, text.size());
}

// What the parser is given in the place of the text: the grammar takes any statement that begins
// with `match[` for a match statement, also one that does not end with a colon. Nodes have the text
// as it is.
std::string WithoutFalseMatches(const std::string& text) {
  constexpr std::string_view kMatch = "match[";
  constexpr std::string_view kBlank = " \t\r";
  std::string given = text;
  for (size_t at = text.find(kMatch); at != std::string::npos; at = text.find(kMatch, at)) {
    const size_t end = EndOfStatement(text, at);
    const size_t before = at == 0 ? std::string::npos : text.find_last_not_of(kBlank, at - 1);
    const bool begins = before == std::string::npos || text[before] == '\n' || text[before] == ';';
    if (begins && text[text.find_last_not_of(kBlank, end - 1)] != ':') given[at] = 'n';
    at = begins ? end : at + kMatch.size();
  }
  return given;
}

struct Refused {
  std::string path, text;
  int32_t cell = 0;
  absl::Status why;
};

// The grammar's names of nodes and fields, by the numbers that nodes have.
class GrammarNames {
 public:
  GrammarNames() {
    const TSLanguage* language = tree_sitter_python();
    for (uint32_t i = 0; i < ts_language_symbol_count(language); ++i) {
      types_.emplace_back(ts_language_symbol_name(language, static_cast<TSSymbol>(i)));
    }
    for (uint32_t i = 1; i <= ts_language_field_count(language); ++i) {
      fields_[ts_language_field_name_for_id(language, static_cast<TSFieldId>(i))] =
          static_cast<TSFieldId>(i);
    }
  }
  std::string_view TypeOf(TSNode node) const {
    const TSSymbol symbol = ts_node_symbol(node);
    return symbol < types_.size() ? types_[symbol] : std::string_view(ts_node_type(node));
  }
  TSFieldId Field(std::string_view name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? TSFieldId{0} : found->second;
  }
  // Comments and continued lines.
  bool Skipped(TSNode node) const {
    const std::string_view type = TypeOf(node);
    return type == "comment" || type == "line_continuation";
  }

 private:
  std::vector<std::string_view> types_;
  absl::flat_hash_map<std::string_view, TSFieldId> fields_;
};

const GrammarNames& Names() {
  static const auto* const kNames = new GrammarNames;
  return *kNames;
}

class Cursor {
 public:
  explicit Cursor(TSNode node) : cursor_(ts_tree_cursor_new(node)) {}
  ~Cursor() { ts_tree_cursor_delete(&cursor_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  bool Down() { return ts_tree_cursor_goto_first_child(&cursor_); }
  bool Next() { return ts_tree_cursor_goto_next_sibling(&cursor_); }
  bool Up() { return ts_tree_cursor_goto_parent(&cursor_); }
  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }

 private:
  TSTreeCursor cursor_;
};

}  // namespace

std::string_view Node::type() const { return *this ? Names().TypeOf(node_) : std::string_view(); }

std::string_view Node::text() const {
  if (!*this) return {};
  return std::string_view(tree_->text()).substr(begin(), end() - begin());
}

std::string Node::excerpt() const {
  constexpr size_t kShown = 60;
  const std::string_view all = text();
  if (all.size() <= kShown) return std::string(all);
  return std::string(all.substr(0, kShown)) + "...";
}

Node Node::field(std::string_view name) const {
  if (!*this) return {};
  return {ts_node_child_by_field_id(node_, Names().Field(name)), tree_};
}

std::vector<Node> Node::children() const {
  std::vector<Node> result;
  const uint32_t most = *this ? ts_node_named_child_count(node_) : 0;
  if (most == 0) return result;
  result.reserve(most);
  Cursor cursor(node_);
  if (!cursor.Down()) return result;
  do {
    const TSNode child = cursor.node();
    if (ts_node_is_named(child) && !Names().Skipped(child)) result.emplace_back(child, tree_);
  } while (cursor.Next());
  return result;
}

Node Node::token(std::string_view wanted) const {
  if (!*this) return {};
  Cursor cursor(node_);
  if (!cursor.Down()) return {};
  do {
    if (wanted == Names().TypeOf(cursor.node())) return {cursor.node(), tree_};
  } while (cursor.Next());
  return {};
}

std::vector<std::string_view> Node::operators() const {
  std::vector<std::string_view> result;
  Cursor cursor(node_);
  if (!cursor.Down()) return result;
  do {
    if (!ts_node_is_named(cursor.node())) {
      result.push_back(Names().TypeOf(cursor.node()));
    }
  } while (cursor.Next());
  return result;
}

Location Node::location() const {
  Location result;
  if (!*this) return result;
  const TSPoint point = ts_node_start_point(node_);
  result.file = tree_->path();
  result.line = static_cast<int32_t>(point.row) + 1;
  result.column = static_cast<int32_t>(point.column) + 1;
  result.cell = tree_->cell();
  return result;
}

Span Node::span(int64_t first, int64_t last) const {
  return {tree_->path(), tree_->cell(), first, last};
}

absl::StatusOr<std::shared_ptr<const SyntaxTree>> SyntaxTree::Parse(std::string path,
                                                                    std::string text,
                                                                    int32_t cell) {
  constexpr size_t kMostKept = 8;
  thread_local std::deque<std::shared_ptr<const SyntaxTree>> kept;
  for (const std::shared_ptr<const SyntaxTree>& known : kept) {
    if (known->cell_ == cell && known->path_ == path && known->text_ == text) return known;
  }
  // Asked for again, a text is not given as much time again.
  thread_local std::deque<Refused> refused;
  for (const Refused& known : refused) {
    if (known.cell == cell && known.path == path && known.text == text) return known.why;
  }
  if (static_cast<int64_t>(text.size()) > kMaxBytes) {
    return InvalidInput(fmt::format("{}: python source has {} bytes, expected at most {}", path,
                                    text.size(), kMaxBytes));
  }
  auto tree = std::make_shared<SyntaxTree>();
  tree->path_ = std::move(path);
  tree->text_ = std::move(text);
  tree->cell_ = cell;
  const ParserMemory memory;
  std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), &ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), tree_sitter_python())) {
    return absl::InternalError("the python grammar does not match the tree-sitter library");
  }
  ts_parser_set_timeout_micros(parser.get(), kSliceMicroseconds);
  const std::string given = WithoutFalseMatches(tree->text_);
  const double begin = CpuSeconds();
  // A parser that was stopped goes on where it was.
  do {
    tree->tree_.reset(ts_parser_parse_string(parser.get(), nullptr, given.data(),
                                             static_cast<uint32_t>(given.size())));
  } while (tree->tree_ == nullptr && !memory.faulty() && CpuSeconds() - begin < kParseSeconds);
  const bool slow = tree->tree_ == nullptr;
  if (slow || memory.faulty() || !tree->Whole()) {
    const absl::Status why =
        InvalidInput(fmt::format("{}: cannot be parsed as python{}", tree->path_,
                                 slow ? " within 4 s" : ": too much is open within each other"));
    refused.push_back({tree->path_, tree->text_, cell, why});
    if (refused.size() > kMostKept) refused.pop_front();
    return why;
  }
  TW_RETURN_IF_ERROR(tree->Survey());
  // tilewise's own modules, whose paths are no files, are asked for once.
  if (!tree->path_.starts_with('<')) {
    kept.push_back(tree);
    if (kept.size() > kMostKept) kept.pop_front();
  }
  return tree;
}

bool SyntaxTree::Whole() const {
  const size_t last = text_.find_last_not_of(" \t\r\n\f\\");
  return last == std::string::npos || ts_node_end_byte(ts_tree_root_node(tree_.get())) > last;
}

// Finds the error nodes and bounds the depth, without recursion.
absl::Status SyntaxTree::Survey() {
  constexpr size_t kMaxErrors = 20;
  Cursor cursor(ts_tree_root_node(tree_.get()));
  int depth = 0;
  // Each elif lies within the one before it: how many there are at each depth, and in all.
  constexpr int64_t kMaxElifs = 2000;
  std::vector<int64_t> elifs(kMaxDepth + 2);
  int64_t all_elifs = 0;
  constexpr int64_t kMaxNodes = 1'000'000;
  int64_t nodes = 0;
  for (;;) {
    const Node node(cursor.node(), this);
    if (node.is("elif_clause")) {
      ++elifs[depth];
      if (++all_elifs > kMaxElifs) {
        return InvalidInput(fmt::format("{}: found more than {} `elif` in a row",
                                        FormatLocation(node.location()), kMaxElifs));
      }
    }
    if (++nodes > kMaxNodes) {
      return InvalidInput(fmt::format("{}: found more than {} parts of a program, expected fewer",
                                      FormatLocation(node.location()), kMaxNodes));
    }
    const bool error = node.is("ERROR");
    if ((error || node.missing()) && errors_.size() < kMaxErrors) {
      errors_.push_back(node.location());
    }
    if (error) error_bytes_ += node.end() - node.begin();
    if (depth > kMaxDepth) {
      return InvalidInput(fmt::format("{}: code is nested more than {} levels deep",
                                      FormatLocation(node.location()), kMaxDepth));
    }
    if (!error && cursor.Down()) {
      ++depth;
      continue;
    }
    while (!cursor.Next()) {
      all_elifs -= std::exchange(elifs[depth], 0);
      if (!cursor.Up()) return absl::OkStatus();
      if (--depth < 0) return absl::OkStatus();
    }
  }
}

}  // namespace tilewise::python
