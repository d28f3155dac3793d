// What the name of a library's function tells of it.

#pragma once

#include <string_view>

namespace tilewise::program {

bool IsRandom(std::string_view name);
bool IsStateful(std::string_view name);
// Whether it decodes what is encoded: images, audio, records.
bool Decodes(std::string_view name);

}  // namespace tilewise::program
