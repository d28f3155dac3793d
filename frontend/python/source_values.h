// What the syntax alone tells of values: numbers that names stand for, and
// arrays of true and false.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/program/source_names.h"
#include "python/syntax.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// Names that a file binds once, and to an integer; nothing of names that it
// binds to more.
using Constants = std::map<std::string, std::optional<int64_t>, std::less<>>;

// Adds what the assignments, loops and parameters below `node` bind.
void FindConstants(Node node, Constants& constants);

// An integer, or a list or tuple of nothing else, as far as literals,
// arithmetic and `constants` make it; else empty.
std::vector<int64_t> SizesOf(Node node, const Constants& constants);

MaskEvidence MaskOf(Node node, const Aliases& aliases);

}  // namespace tilewise::python
