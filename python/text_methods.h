// What the methods of texts share.

#pragma once

#include <string>
#include <string_view>

#include "python/native.h"

namespace tilewise::py {
namespace text_functions {

// The text or the bytes that a method is called on.
const std::string& Self(Interpreter& in, Arguments& arguments);
// The text of an argument; raises for what is no text.
const std::string& Other(Interpreter& in, Arguments& arguments, size_t at,
                         std::string_view name = {});
// A result, of the type that the method is called on.
Value Same(Interpreter& in, Arguments& arguments, std::string text);

}  // namespace text_functions

// Methods that go through characters, and those that operators have.
void DefineTextTables(Interpreter& in);

}  // namespace tilewise::py
