// Names and order of findings.

#include "base/diagnostic.h"

#include <tuple>

namespace tilewise {

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "?";
}

std::string_view ApplicabilityName(Applicability applicability) {
  switch (applicability) {
    case Applicability::kNone:
      return "none";
    case Applicability::kShow:
      return "show";
    case Applicability::kUnsafe:
      return "unsafe";
    case Applicability::kSafe:
      return "safe";
  }
  return "?";
}

bool ReportsBefore(const Diagnostic& a, const Diagnostic& b) {
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.location.file, d.location.cell, d.location.line, d.location.column,
                    d.location.item, d.rule, d.message);
  };
  return key(a) < key(b);
}

}  // namespace tilewise
