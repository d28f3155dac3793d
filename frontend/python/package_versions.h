// Versions and environment variables that a program names: what it pins, asks
// for or checks.

#pragma once

#include <string_view>
#include <vector>

#include "frontend/program/source_names.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// Every "tensorflow==2.3", "jax >= 0.4.1,<0.5" of the line, at `place`.
void CollectRequirements(std::string_view line, const Location& place,
                         std::vector<PackageVersion>& versions);

// Reads "tensorflow==2.3", "jax >= 0.4.1", "%tensorflow_version 1.x",
// "%env KERAS_BACKEND=jax" wherever they stand in `text`, comments, strings and
// magics included. `cell` is 0 outside notebooks.
void CollectVersions(std::string_view text, const std::string& path, int32_t cell,
                     SourceFacts& facts);

// os.environ["A"] = "b" and os.environ.setdefault("A", "b") among what was
// collected.
void CollectEnvironment(SourceFacts& facts);

}  // namespace tilewise::python
