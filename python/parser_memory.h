// The memory of the parser of Python: what it frees is checked.

#pragma once

namespace tilewise::python {

// tree-sitter counts the children of a node in 16 bits. A node of more, which
// expressions that never end become, is later freed at an address where nothing
// was allocated. While this lives, such a call is left out and noted.
class ParserMemory {
 public:
  ParserMemory();
  // Whether the parser freed in this thread, since then, what it may not.
  bool faulty() const;
};

}  // namespace tilewise::python
