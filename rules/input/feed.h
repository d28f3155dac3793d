// Which pipelines feed training, what the runtime makes of them, and what a
// change of one is worth: in the steady state, and in the first epoch, which
// fills the caches.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/pipeline_change.h"
#include "pipeline/chain.h"
#include "rules/rule.h"

namespace tilewise {

// Pipelines that feed training, or may: none for evaluation or to be looked at.
std::vector<const Pipeline*> FeedPipelines(const Facts& facts);

// Why a change of this pipeline has no simulated cost; empty when it has.
std::string WhyNoLoop(const Facts& facts, const Pipeline& pipeline);

// Makes `change` the fix of `found`, and its cost what it saves per step of the
// host loop, when this is the pipeline the model was simulated with. With the
// epochs of fit() known the first epoch counts with its share. When nothing is
// saved the cost is zero and the message says what the step waits for instead;
// when nothing was simulated the cost says why.
void AddLoopFix(const Facts& facts, const Pipeline& pipeline, const PipelineChange& change,
                Finding& found);

// The fix of stages in the wrong order for a reason other than time: stage
// `from` goes before stage `to`, in the file as well. Its cost is what that
// saves per step in the steady state, which may be nothing.
void MoveStageBefore(const Facts& facts, const Pipeline& pipeline, size_t from, size_t to,
                     Finding& found);

// Whether the calls of two stages stand in one block, so that one path runs both: no call is moved
// into a branch of an `if`.
bool InOneBlock(const Facts& facts, const Stage& a, const Stage& b);

// What cache `from`, moved before stage `to`, adds to later epochs, as a clause
// of a message; empty when it adds nothing or nothing was simulated.
std::string PriceOfRerunning(const Facts& facts, const Pipeline& pipeline, size_t from, size_t to);

// The step of the host loop with everything answered from memory, ahead of it.
Seconds StepWithoutInput(const Facts& facts, const Pipeline& pipeline);

// The step fed by `pipeline`, on average over the epochs of fit() where their number is known.
Seconds MeanStepFedBy(const Facts& facts, const Pipeline& pipeline);

// Whether its items are read more than once, as far as the files tell.
bool RunsManyEpochs(const Facts& facts, const Pipeline& pipeline);

// Bytes of an item where it reaches the device; zero when not known.
Bytes BytesOfItem(const Facts& facts, const Pipeline& pipeline);
// Machines that feed the chips, each from a pipeline of its own.
int64_t FeedingHosts(const Facts& facts);
// Items of an epoch that one of them has behind stage `after`; none when unknown.
std::optional<double> ItemsOfHostAfter(const Facts& facts, const Pipeline& pipeline, size_t after);
// Bytes of these as they leave the stage; none when their size is unknown as well.
std::optional<Bytes> BytesOfItemsAfter(const Facts& facts, const Pipeline& pipeline, size_t after);

}  // namespace tilewise
