// One renderer per format; kFormats in formats.cc lists them.

#pragma once

#include <string>

#include "report/report.h"

namespace tilewise {

std::string RenderText(const Report& report, const RenderOptions& options);
std::string RenderJson(const Report& report, const RenderOptions& options);
std::string RenderMarkdown(const Report& report, const RenderOptions& options);

}  // namespace tilewise
