// What a command is about: the files that the user named, read, lowered for
// the target and simulated.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "hardware/target.h"
#include "session/session.h"
#include "workload/workload.h"

namespace tilewise {

// Stays where it is made: the session points into the other two.
struct Subject {
  Target target;
  Workload workload;
  std::unique_ptr<const Session> session;

  const Facts& facts() const { return session->facts(); }
};

// What the commands that read a program do not have in common.
struct LoadChoice {
  bool tries_batches = false;                // other batch sizes are simulated, too
  std::vector<std::string> fixed_dims = {};  // see lint/fixed_dims.h
  // Bytes that stand for files, by argument; null: none do.
  const std::map<std::string, std::string>* texts = nullptr;
  // That of the options, when the caller has made it already.
  const Target* target = nullptr;
};

// The start of every command that reads a program. Errors: an unknown chip or
// host, with the known ones; what the readers and MakeSession report. Files
// without a model are no error.
absl::StatusOr<std::unique_ptr<const Subject>> LoadSubject(const ModelOptions& options,
                                                           const LoadChoice& choice = {});

// Error unless the files held a model that could be lowered; says why.
absl::Status RequireModel(const Subject& subject);

}  // namespace tilewise
