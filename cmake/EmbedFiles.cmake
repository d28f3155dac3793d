# Writes FILES into OUTPUT as a C++ table of (file name, text):
#   tilewise::FUNCTION() -> std::span<const EmbeddedFile>.

string(REPLACE " " ";" FILES "${FILES}")
set(table "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND table "    {\"${name}\", R\"txtpb(${text})txtpb\"},\n")
endforeach()
file(WRITE ${OUTPUT}
"// Generated from data files; do not edit.

#include \"hardware/embedded_data.h\"

namespace tilewise {
std::span<const EmbeddedFile> ${FUNCTION}();
namespace {
constexpr EmbeddedFile kFiles[] = {
${table}};
}  // namespace
std::span<const EmbeddedFile> ${FUNCTION}() { return kFiles; }
}  // namespace tilewise
")
