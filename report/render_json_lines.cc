// One JSON object per finding and line, in the form that the findings of the
// JSON report have, for programs that read as they go.

#include "report/json_sections.h"
#include "report/renderers.h"

namespace tilewise {

std::string RenderJsonLines(const Report& report, const RenderOptions&) {
  std::string text;
  for (const Diagnostic& finding : report.findings) {
    text += JsonDiagnostic(finding).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

}  // namespace tilewise
