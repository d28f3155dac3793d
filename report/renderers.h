// One renderer per format; kFormats in formats.cc lists them.

#pragma once

#include <string>

#include "report/report.h"

namespace tilewise {

// GitHub shows the first 5,000 results of a run.
inline constexpr size_t kSarifResults = 5000;

std::string RenderText(const Report& report, const RenderOptions& options);
std::string RenderJson(const Report& report, const RenderOptions& options);
std::string RenderJsonLines(const Report& report, const RenderOptions& options);
std::string RenderConcise(const Report& report, const RenderOptions& options);
std::string RenderGcc(const Report& report, const RenderOptions& options);
std::string RenderSarif(const Report& report, const RenderOptions& options);
std::string RenderGithub(const Report& report, const RenderOptions& options);
std::string RenderGitlab(const Report& report, const RenderOptions& options);
std::string RenderJunit(const Report& report, const RenderOptions& options);
std::string RenderCheckstyle(const Report& report, const RenderOptions& options);
std::string RenderMarkdown(const Report& report, const RenderOptions& options);

}  // namespace tilewise
