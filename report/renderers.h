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
std::string RenderSvg(const Report& report, const RenderOptions& options);

// Trace Event Format, JSON object form: one track per resource of the device
// (kernels, MXU, vector unit, HBM, interconnect), counters of HBM in use and of
// MXU use, and the host's loop of two executions. Times in microseconds. Names
// and arguments are those of XProf, so that `profile` reads it as it reads a
// measured trace. All steps are alike; what the units do is drawn of the first
// one. A unit's work for one kernel is drawn as one block from the kernel's start, although its
// windows take turns. `report.kernels` must be filled.
std::string RenderTrace(const Report& report);

}  // namespace tilewise
