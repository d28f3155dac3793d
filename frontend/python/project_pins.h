// The releases that a script's project asks for, in the files that people
// install it by: requirements.txt, pyproject.toml, environment.yml.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workload/source_facts.h"

namespace tilewise::python {

// Files of those names (and requirements-*.txt, requirements_*.txt) that are in
// the script's folder or further up, nearest folder first, by name in each. The
// last folder is the root of the checkout, which has .git; without one only the
// script's own is looked at. Paths as seen from the working directory where
// they lie below it, else absolute.
std::vector<std::string> PinFiles(const std::string& script);

// The pins of frameworks that the text of such a file has.
std::vector<PackageVersion> PinsOf(std::string_view text, const std::string& path);

// Returns the pins of the nearest folder that has any. Files that cannot be
// read or are larger than 1 MiB say nothing. An exact pin that another one
// contradicts (for another platform or Python) is none.
std::vector<PackageVersion> ProjectPins(const std::string& script);

// Adds the project's pins to what a script says itself; where that names the
// one release of a package, it counts alone.
void AddProjectPins(const std::string& script, SourceFacts& facts);

}  // namespace tilewise::python
