// The names of a source: what imports and aliases stand for.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "python/syntax.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// Local name -> full dotted name.
using Aliases = std::map<std::string, std::string, std::less<>>;

// Adds what the imports and assignments below `node` bind, wherever they
// stand, and lists the imports.
void FindAliases(Node node, Aliases& aliases, std::vector<SourceImport>& imports);

// The full dotted name of a chain of attributes on a name; ".last" of one on
// another expression; "" of anything else.
std::string DottedName(Node node, const Aliases& aliases);

// Variables that `node` reads, in order, once each, at most `most`: not the
// names of attributes and keywords.
std::vector<std::string> NamesIn(Node node, size_t most);

// The text as written, at most 200 bytes.
std::string ShortText(Node node);

}  // namespace tilewise::python
