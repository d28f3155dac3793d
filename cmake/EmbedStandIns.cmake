# Writes FILES of FOLDER into OUTPUT: StandIns() of frontend/cpp/stand_ins.h.

string(REPLACE " " ";" FILES "${FILES}")
list(SORT FILES)
set(table "")
foreach(file ${FILES})
  file(READ ${FOLDER}/${file} text)
  string(APPEND table "    {\"${file}\", R\"stand_in(${text})stand_in\"},\n")
endforeach()
file(WRITE ${OUTPUT}
"// Generated from frontend/cpp/stand_ins; do not edit.

#include \"frontend/cpp/stand_ins.h\"

namespace tilewise {
namespace {
constexpr StandIn kStandIns[] = {
${table}};
}  // namespace
std::span<const StandIn> StandIns() { return kStandIns; }
}  // namespace tilewise
")
