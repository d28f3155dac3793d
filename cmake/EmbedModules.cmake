# Writes FILES of FOLDER into OUTPUT: OwnModule(path) of frontend/program/search.h.

string(REPLACE " " ";" FILES "${FILES}")
list(SORT FILES)
set(table "")
foreach(file ${FILES})
  file(READ ${FOLDER}/${file} text)
  string(LENGTH "${text}" size)
  string(APPEND table "    {\"${file}\", R\"own_py(${text})own_py\", ${size}},\n")
endforeach()
file(WRITE ${OUTPUT}
"// Generated from frontend/program/modules; do not edit.

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tilewise::program {
namespace {
struct File {
  std::string_view path;
  const char* text;
  size_t size;
};
constexpr File kFiles[] = {
${table}};
}  // namespace

std::string_view OwnModule(std::string_view path) {
  const auto at =
      std::lower_bound(std::begin(kFiles), std::end(kFiles), path,
                       [](const File& file, std::string_view p) { return file.path < p; });
  return at == std::end(kFiles) || at->path != path ? std::string_view()
                                                       : std::string_view(at->text, at->size);
}
}  // namespace tilewise::program
")
