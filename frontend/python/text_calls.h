// Texts of a script: what they look like when shown, and the methods of str.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// A number, text, bool or None as str() shows it; nothing for anything else.
std::optional<std::string> Display(const Value& value);
// text % value, as far as %s and %d go.
std::optional<Value> FormatPercent(Interpreter& in, const std::string& text, const Value& value);
// "{}".format(...), lower, upper, strip, split, join, startswith...
std::optional<Value> CallTextMethod(Interpreter& in, const std::string& text, const Call& call);

}  // namespace tilewise::python
