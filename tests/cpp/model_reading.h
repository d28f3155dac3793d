// Reads the model of a C++ source that a test has as text. Clang's headers, which take most of the
// time of a compilation, are in the source beside it alone.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/cpp/model/program_writer.h"
#include "frontend/cpp/read_cpp.h"

namespace tilewise {

inline constexpr char kTorch[] = "#include <torch/torch.h>\n";

// The source as the program that the interpreter runs.
cpp::TranslatedProgram ProgramOf(const std::string& text, const std::string& path = "a.cpp",
                                 const std::vector<std::string>& flags = {});
std::string Translated(const std::string& text);

// Without what the source says beside its model (SourceFacts).
Workload Read(const std::string& text, const LoadOptions& options = {},
              const std::string& path = "a.cpp");
// With it; the libraries of `absent_headers` are not installed.
Workload ReadWithFacts(const std::string& text, const std::string& path = "a.cpp",
                       const std::vector<std::string>& absent_headers = {});

// How many sources beside this one are parsed for what it declares only.
int LinkedSources(const std::string& text, const std::string& path);

std::string Notes(const Workload& workload);
int64_t Parameters(const Workload& workload);
int64_t CountOf(const Workload& workload, OpKind kind);

}  // namespace tilewise
