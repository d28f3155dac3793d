// What a change of the input pipeline is worth: in the steady state, and in the
// first epoch, which fills the caches.

#pragma once

#include <optional>
#include <string>

#include "advice/pipeline_change.h"
#include "rules/rule.h"

namespace tilewise {

// Why a change of this pipeline has no simulated cost; empty when it has.
std::string WhyNoLoop(const Facts& facts, const Pipeline& pipeline);

// Adds to `found` what `fixed` in place of `pipeline` saves per step of the
// host loop, when that is the pipeline the model was simulated with. With the
// epochs of fit() known the first epoch counts with its share. When nothing is
// saved the cost is zero and the message says what the step waits for instead;
// when nothing was simulated the cost says why.
void AddLoopCost(const Facts& facts, const Pipeline& pipeline, const Pipeline& fixed,
                 Diagnostic& found);

// As AddLoopCost() for the pipeline that `edit` makes of this one, which is
// what the fix does.
void AddLoopFix(const Facts& facts, const Pipeline& pipeline, const PipelineChange& edit,
                Finding& found);

// The cost of stages in the wrong order for a reason other than time: what
// `moved` saves per step in the steady state, which may be nothing.
void AddMoveCost(const Facts& facts, const Pipeline& pipeline, const Pipeline& moved,
                 Diagnostic& found);

// What `moved`, with its cache further up, adds to later epochs, as a clause of
// a message; empty when it adds nothing or nothing was simulated.
std::string PriceOfRerunning(const Facts& facts, const Pipeline& pipeline, const Pipeline& moved);

// Bytes of all items as they leave stage `after`; none when the number of items
// or their size is unknown.
std::optional<Bytes> BytesOfItemsAfter(const Facts& facts, const Pipeline& pipeline, size_t after);

}  // namespace tilewise
