// How the records of a program lay its devices out and what it keeps for the
// backward pass.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/program/trace.h"
#include "graph/training.h"
#include "hardware/mesh.h"

namespace tilewise::program {

struct ProgramMesh {
  Mesh mesh;
  Location location;
  std::string words;  // what each axis of the program's does
};

// Nothing: the program makes no mesh, or all of its cores have other examples.
// An axis over which the batch is split is `data`, or `fsdp` where weights are
// split over it as well; one that only splits weights is `tensor`. What nothing
// is split over goes by its name. `unclear` is set to an axis without a meaning.
std::optional<ProgramMesh> MeshOf(const std::vector<Record>& records, std::string& unclear);

// What calls of checkpoint() keep; nothing: there are none.
std::optional<Remat> RematOf(const std::vector<Record>& records);

}  // namespace tilewise::program
