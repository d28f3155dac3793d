// What a program is for, as far as its source tells: a TPU or any machine, training or another use.

#pragma once

#include "session/facts.h"

namespace tilewise {

// Whether a call of the program names TPUs.
bool NamesTpu(const SourceFacts& source);

// Whether the program is written for TPUs.
bool ForTpus(const Facts& facts);
// Whether it is a program that names none. It is tried on one before it runs for long.
bool ForOtherMachines(const Facts& facts);

// Whether it trains by an Estimator that no TPU runs: any but TPUEstimator.
bool TrainsByEstimator(const SourceFacts& source);

// Whether nothing in it trains a model.
bool TrainsNothing(const Workload& workload);

// Whether it makes a model to save, convert or ask it, and trains none: the step that is simulated
// is one that nobody runs.
bool OnlyUsesModel(const Facts& facts);

// Whether the model was converted for browsers and phones: no TPU runs it.
bool IsForBrowsers(const Workload& workload);

}  // namespace tilewise
