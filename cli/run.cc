// Parses, runs the command, and turns every failure into one message on
// standard error and exit code 2.

#include "cli/run.h"

#include <cstdio>

#include "cli/command_line.h"
#include "cli/output.h"
#include "frontend/refused_format.h"

namespace tilewise {
namespace {

absl::StatusOr<int> ParseAndRun(int argc, const char* const* argv) {
  TW_ASSIGN_OR_RETURN(const CommandLine line, ParseCommandLine(argc, argv));
  if (line.run) return line.run();
  TW_RETURN_IF_ERROR(WriteOutput(line.text, ""));
  return kExitClean;
}

}  // namespace

int Run(int argc, const char* const* argv) {
  const absl::StatusOr<int> code = ParseAndRun(argc, argv);
  if (code.ok()) return *code;
  std::fprintf(stderr, "tilewise: error: %s\n%s", OneLine(Message(code.status())).c_str(),
               HelpOf(code.status()).c_str());
  return kExitFailure;
}

}  // namespace tilewise
