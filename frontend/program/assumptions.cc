// Evaluates the values in a module of tilewise's own, as the program's names are not made yet.

#include "frontend/program/assumptions.h"

#include <fmt/format.h>

namespace tilewise::program {

void TakeAssumptions(py::Interpreter& in, const std::vector<std::string>& given) {
  if (given.empty()) return;
  py::Module& scope = *in.Import("_tilewise_assumed").as<py::Module>();
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) continue;
    in.assumed[in.Name(text.substr(0, equals))] = {in.EvalText(scope, text.substr(equals + 1))};
  }
}

void NoteUnusedAssumptions(py::Interpreter& in, const std::string& path) {
  for (const auto& [name, assumption] : in.assumed) {
    if (assumption.used) continue;
    in.Note("RD003", {path, 0, 0, 0, ""},
            fmt::format("--assume {}: the program assigns no such name", *name),
            Severity::kWarning);
  }
}

}  // namespace tilewise::program
