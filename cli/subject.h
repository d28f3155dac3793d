// What a command is about: the files that the user named, read, lowered for
// the target and simulated.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/status.h"
#include "cli/options.h"
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

// The start of every command that reads a program. Errors: an unknown chip or
// host, with the known ones; what the readers and Analyze report. Files without
// a model are no error. `texts`: see ReadInputs. `target`: that of the options,
// when the caller has made it already.
absl::StatusOr<std::unique_ptr<const Subject>> LoadAndMakeSession(
    const Options& options,
    const std::map<std::string, std::string>* texts = nullptr,
    const Target* target = nullptr);

// The target that the options name. Errors: an unknown chip or host, with the
// known ones; cores that make no mesh.
absl::StatusOr<Target> TargetOf(const Options& options);

// Error unless the files held a model that could be lowered; says why.
absl::Status RequireModel(const Subject& subject);

}  // namespace tilewise
