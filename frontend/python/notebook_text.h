// The text of a notebook without what its cells printed.

#pragma once

#include <string>
#include <string_view>

namespace tilewise::python {

// JSON text whose members "outputs" and "attachments" have empty lists for
// values: images and tables, often most of a notebook, which nothing reads. Lines
// stay as they are.
std::string WithoutOutputs(std::string_view json);

}  // namespace tilewise::python
