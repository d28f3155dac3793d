# Writes FILES into OUTPUT as a C++ table of (file name, text), the name with
# that of the file's folder if WITH_FOLDER is set:
#   tilewise::FUNCTION() -> std::span<const EmbeddedFile>.

string(REPLACE " " ";" FILES "${FILES}")
set(table "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  if(WITH_FOLDER)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set(name ${folder}/${name})
  endif()
  file(READ ${file} text)
  string(APPEND table "    {\"${name}\", R\"txtpb(${text})txtpb\"sv},\n")
endforeach()
file(WRITE ${OUTPUT}
"// Generated from data files; do not edit.

#include \"hardware/embedded_data.h\"

namespace tilewise {
std::span<const EmbeddedFile> ${FUNCTION}();
namespace {
using namespace std::string_view_literals;
constexpr EmbeddedFile kFiles[] = {
${table}};
}  // namespace
std::span<const EmbeddedFile> ${FUNCTION}() { return kFiles; }
}  // namespace tilewise
")
