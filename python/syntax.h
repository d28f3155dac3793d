// A Python source as a syntax tree: a thin, safe face of tree-sitter. The
// parser is tolerant: what it cannot read becomes ERROR nodes, listed in
// `errors`. Trees deeper than kMaxDepth are refused, so that walks of a tree
// may recurse.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

#include "base/location.h"
#include "base/status.h"

namespace tilewise::python {

class SyntaxTree;

// A Node is cheap to copy and valid while its tree lives. A null node has type "".
class Node {
 public:
  Node() = default;
  Node(TSNode node, const SyntaxTree* tree) : node_(node), tree_(tree) {}

  explicit operator bool() const { return tree_ != nullptr && !ts_node_is_null(node_); }
  std::string_view type() const;
  bool is(std::string_view t) const { return type() == t; }
  std::string_view text() const;
  // The text for messages: its start, with "..." when there is more.
  std::string excerpt() const;
  Node field(std::string_view name) const;
  // Named children without comments and continued lines, in source order.
  std::vector<Node> children() const;
  // The first child, named or not, of that type ("." or "in").
  Node token(std::string_view type) const;
  // Texts of the unnamed children: operators.
  std::vector<std::string_view> operators() const;
  int64_t begin() const { return ts_node_start_byte(node_); }
  int64_t end() const { return ts_node_end_byte(node_); }
  Location location() const;
  Span span() const { return span(begin(), end()); }
  Span span(int64_t begin, int64_t end) const;
  bool missing() const { return ts_node_is_missing(node_); }
  TSNode raw() const { return node_; }
  const SyntaxTree* tree() const { return tree_; }
  bool operator==(const Node& o) const { return tree_ == o.tree_ && node_.id == o.node_.id; }

 private:
  TSNode node_ = {};
  const SyntaxTree* tree_ = nullptr;
};

class SyntaxTree {
 public:
  static constexpr int64_t kMaxBytes = int64_t{4} << 20;
  static constexpr int kMaxDepth = 1000;

  // `cell` is 0 outside notebooks. Several readers ask for the trees of the same texts: a thread
  // keeps the last few of the user's.
  static absl::StatusOr<std::shared_ptr<const SyntaxTree>> Parse(std::string path, std::string text,
                                                                 int32_t cell);
  Node root() const { return {ts_tree_root_node(tree_.get()), this}; }
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  int32_t cell() const { return cell_; }
  // Returns where the parser had to skip or invent text, in source order; at most 20.
  const std::vector<Location>& errors() const { return errors_; }
  // Bytes inside ERROR nodes.
  int64_t error_bytes() const { return error_bytes_; }

 private:
  struct DeleteTree {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  // Whether the tree reaches to the end of the text: a node of more children than
  // the parser counts lacks some (parser_memory.h).
  bool Whole() const;
  absl::Status Survey();

  std::string path_, text_;
  int32_t cell_ = 0;
  std::unique_ptr<TSTree, DeleteTree> tree_;
  std::vector<Location> errors_;
  int64_t error_bytes_ = 0;
};

}  // namespace tilewise::python
