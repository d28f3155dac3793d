// What a program is for, as far as its source tells: a TPU or any machine, training or another use.

#pragma once

#include <string_view>

#include "session/facts.h"

namespace tilewise {

// Whether a call of the program names TPUs.
bool NamesTpu(const SourceFacts& source);

// Whether the program is written for TPUs: it names one, or is of JAX and divides its work among
// devices.
bool ForTpus(const Facts& facts);

// Whether a program of Keras or TensorFlow 2 has to be put under a strategy before cores share its
// batch, as the figures take them to.
bool NeedsStrategy(const Facts& facts);

// Whether a launcher may start the program of PyTorch once for each device: the batch that it names
// is that of one device then, which the reader does not see everywhere.
bool MayTrainInProcesses(const SourceFacts& source);

// Whether it is a program of PyTorch.
bool ImportsTorch(const SourceFacts& source);

// Whether it calls fit(), which alone runs several steps at once: train_on_batch() starts each by
// itself, and who trains a model that a file only compiles is not known.
bool CallsFit(const SourceFacts& source);

// Whether a file has tests: functions and classes of a framework for them.
bool HasTests(const SourceFacts& source, std::string_view file);

// Whether nothing in it trains a model.
bool TrainsNothing(const Workload& workload);

// Whether it makes a model to save, convert or ask it, and trains none: the step that is simulated
// is one that nobody runs.
bool OnlyUsesModel(const Facts& facts);

// Whether the model has a few thousand weights, as a straight line through points has.
bool IsToyModel(const Facts& facts);

// Whether the model was converted for browsers and phones: no TPU runs it.
bool IsForBrowsers(const Workload& workload);

}  // namespace tilewise
