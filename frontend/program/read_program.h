// The model and its training step from the program that builds them.

#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/line_places.h"
#include "base/status.h"
#include "frontend/program/loader_arguments.h"
#include "frontend/slice_shape.h"
#include "python/interpreter.h"
#include "workload/workload.h"

namespace tilewise::program {

// A module of the program that was made of a source in another language.
struct ProgramModule {
  std::string name, path, text;
  LinePlaces lines;
};

// One text of the program: a file, or a cell of a notebook.
struct ProgramText {
  std::string text;
  int32_t cell = 0;
  // Lines of a shell and of magics, which stand in `text` as calls `_r(0)` ..
  std::vector<std::string> commands = {};
  // The file beside the notebook that the cell writes; empty: none.
  std::string writes = {};
  // A text that was made of files in another language has their lines here.
  LinePlaces lines = {};
};

struct ProgramOptions {
  int64_t cores = 8;
  int64_t hosts = 1;
  SliceShape shape;
  // `--model`: an expression in the program's module; then `inputs` are the
  // shapes of one example: "3x224x224:f32,seq:s32".
  std::string model;
  std::string inputs;
  bool differentiates = true;  // the model that is named: norms see statistics of the batch
  std::vector<std::string> python_path;
  std::vector<std::string> arguments;  // of the program's command line
  std::vector<std::string> assume;     // "NAME=VALUE"
  bool trains = true;                  // a model is expected: a note says where there is none
  bool may_be_other = false;           // nothing is said of it where it uses no framework
  py::Limits limits;
  // Packages run their __init__ before their parts, as Python does, rather than
  // when something of theirs is first needed.
  bool packages_first = false;
  // Statements of the program that end with an error are left out.
  bool goes_on = false;
  // Sizes of weights that are not known are taken as one tile.
  bool assumes_sizes = false;
  // What a reading before saw that placeholders are fed.
  std::map<int64_t, std::vector<int64_t>> fed = {};
  std::string format = "python";  // of the file, as InputFormat::name
  std::vector<ProgramModule> modules = {};
};

// What a program builds. `dataset_functions`: the functions that data sets call,
// by the file, the cell and the first byte of their bodies.
struct ReadResult : Workload {
  std::set<std::tuple<std::string, int32_t, int64_t>> dataset_functions;
  std::set<std::string> modules;  // files of the user's modules that were loaded
  // Examples in the data that a loader gives to the step; nothing: not known.
  std::optional<int64_t> examples;
  std::vector<LoaderArguments> loaders;
};

// A notebook's cell as a program: `%run`, `!python` and the like become calls,
// other commands blanks of the same length, so that locations stay true.
ProgramText ReadCell(std::string text, int32_t cell);

// Whether one of the commands starts a Python program.
bool StartsProgram(const ProgramText& text);

// What the program builds: graph, training, batch, pipelines, host loop, notes. A
// workload without a graph says in its notes why there is none.
absl::StatusOr<ReadResult> ReadProgram(const std::string& path,
                                       const std::vector<ProgramText>& texts,
                                       const ProgramOptions& options);

}  // namespace tilewise::program
