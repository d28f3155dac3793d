// Names of tf.data that later releases gave up, and the edits that replace
// them.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/rule.h"
#include "workload/versions.h"

namespace tilewise {

// The newest release that the program may run on is at least this one, as far
// as it says.
bool MayRunOn(const Facts& facts, Release release);

// "dataset.make_one_shot_iterator()" and the same as a function become
// "iter(dataset)". Empty where the call is written otherwise.
std::vector<TextEdit> IterateOver(const Workload& workload, const SourceCall& call);

// Where tf.data.experimental.AUTOTUNE is used first in each file.
std::map<std::string, Location> OldAutotunes(const SourceFacts& source);

// Every mention of it in the file, its cells included, gets its new name.
std::vector<TextEdit> RenameAutotune(const SourceFile& file);

}  // namespace tilewise
