// Steps of PyTorch: where one is taken, and which variables around it hold
// tensors of the device.

#pragma once

#include "rules/host_loop/step_loops.h"
#include "workload/source_facts.h"

namespace tilewise {

// loss.backward(), scaler.scale(loss).backward(), accelerator.backward(loss).
bool IsBackward(const SourceCall& call);

// The function around that is one step: by its name, or because a loop calls
// it. -1: it is not known to be.
int32_t StepFunctionAround(const SourceFacts& facts, int32_t context);

// Fills on_device and maybe_on_device: what the loss is made of by calls of the
// program's own, and what is made of that.
void AddTorchResults(const SourceFacts& facts, StepLoop& found);

// optimizer.step(), xm.optimizer_step(optimizer), scaler.step(optimizer).
bool IsOptimizerStep(const SourceCall& call);

}  // namespace tilewise
