// Lists of very many numbers in a program's text: the grammar takes long for
// them, and no node of theirs is needed.

#pragma once

#include <string>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "python/value.h"

namespace tilewise::py {

// The key is the byte of the list's "[".
using LongLists = absl::flat_hash_map<int64_t, std::vector<Value>>;

// Takes the numbers of long lists out of the text, which keeps its size and its
// lines.
LongLists TakeLongLists(std::string& text);

}  // namespace tilewise::py
