// Files -> Workload. One reader per format; the table lists them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/input_file.h"
#include "frontend/slice_shape.h"
#include "workload/workload.h"

namespace tilewise {

// How programs are read that build a model in Python.
struct ProgramSettings {
  // An expression in the program's module that makes the model; empty: what the
  // program trains. `inputs`: the shapes of one example, "3x224x224:f32".
  std::string model;
  std::string inputs;
  std::vector<std::string> python_path;  // folders of modules
  std::vector<std::string> arguments;    // of the program's command line
  // "NAME=VALUE": what names are that the program assigns.
  std::vector<std::string> assume;
};

struct LoadOptions {
  // Constants are folded with it: num_replicas_in_sync.
  int64_t cores = 8;
  int64_t hosts = 1;   // to fold process_count()
  int64_t slices = 1;  // which the data centre's network joins
  // All devices, also those that share examples; 0: as many as `cores`.
  int64_t devices = 0;
  SliceShape shape = {};
  // InputFormat::name of the reader to take; empty: the content decides.
  std::string input_format = {};
  // Whether a training step is wanted; unset: as the file says.
  std::optional<bool> training = std::nullopt;
  ProgramSettings program = {};
};

struct InputFormat {
  std::string_view name;     // "keras-json"
  std::string_view summary;  // for `list formats`
  // Whether the bytes look like this format; of all formats at most one says
  // yes. The path may be used for its suffix only where the content cannot
  // tell.
  bool (*sniff)(const InputFile& file);
  absl::StatusOr<Workload> (*read)(const InputFile& file, const LoadOptions& options);
};
std::span<const InputFormat> InputFormats();

// The format whose content this is; null when there is none.
const InputFormat* SniffFormat(const InputFile& file);

// Reads and merges all files. A directory is read where a format has them: a
// SavedModel, a folder of compiler dumps. Errors name the file and the location
// in it: missing file, empty, too large, unknown format (with the lines that
// export one that is known), malformed.
absl::StatusOr<Workload> LoadFiles(const std::vector<std::string>& paths,
                                   const LoadOptions& options);

// The file that LoadFiles reads with this one, where it is there: the debug
// info of a SavedModel.
std::optional<std::string> FileBeside(const std::string& path);

// One file whose bytes are at hand: standard input, a text before it is
// written. `file.path` names it in locations. Errors: as for a file that is
// read.
absl::StatusOr<Workload> LoadBytes(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
