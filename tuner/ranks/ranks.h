// The ranks that mpirun started, of which this process is one.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "tuner/ranks/crew.h"

namespace tilewise {

struct Rank {
  int number = 0;
  int count = 1;
  int threads = 1;   // this rank's share of the machine's cores
  std::string name;  // "rank 2 on node7"
  MeetingPoint meeting_point;
  std::unique_ptr<Crew> crew;  // of rank 0
};

// Joins the others that mpirun started with this process. None: it is alone,
// which costs nothing. Errors: a build without MPI, ranks that cannot meet.
absl::StatusOr<std::optional<Rank>> JoinRanks();

}  // namespace tilewise
