// What every command starts with: the files that the user named, the machine,
// and what the options say of the step and the loop around it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "edit/files.h"
#include "frontend/load.h"
#include "session/session.h"

namespace tilewise {

// Merges what the readers of all arguments found: files, and models of the zoo
// ("zoo:resnet50"), which are built for training unless options.training is
// false. Errors: those of the readers and of MergeWorkloads, with the location.
// `texts`: bytes that stand for files, by argument; null: none do.
absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options, const FileTexts* texts = nullptr);

struct Loaded {
  Target target;
  Workload workload;
  SessionOptions settings;
};

// What the commands that read a program do not have in common.
struct LoadChoice {
  bool tries_batches = false;                // other batch sizes are simulated, too
  std::vector<std::string> fixed_dims = {};  // see lint/fixed_dims.h
  const FileTexts* texts = nullptr;          // null: none
  // That of the options, when the caller has made it already.
  const Target* target = nullptr;
};

// Errors: an unknown chip or host, with the known ones; what the readers
// report; options that make no sense for what was read. Files without a model
// are no error.
absl::StatusOr<Loaded> Load(const ModelOptions& options, const LoadChoice& choice = {});

// `loaded` must outlive the session.
absl::StatusOr<std::unique_ptr<const Session>> MakeSession(const Loaded& loaded);

// Returns an error, which says why, unless the files held a model that could be
// lowered.
absl::Status RequireModel(const Session& session);

}  // namespace tilewise
