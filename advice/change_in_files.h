// What a change is in the user's files: the same batch, number of steps, width
// or type, set where the files state it.

#pragma once

#include <string>

#include "advice/finding.h"
#include "session/facts.h"

namespace tilewise {

// Makes the edits of `found` those that write the whole change into the files,
// and its fix an unsafe one, for none of these changes keeps what is computed
// or when. Returns what they do ("set batch_size to 64"); empty, with nothing
// done, where a part of the change is not stated as a plain value in a file, or
// is a replacement of ops or an edit of the pipeline.
std::string WriteChange(const Facts& facts, const Change& change, Finding& found);

}  // namespace tilewise
