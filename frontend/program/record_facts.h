// What the records of a program say of its training.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/program/trace.h"
#include "graph/training.h"
#include "pipeline/host_loop.h"
#include "workload/workload.h"

namespace tilewise::program {

// What an instance itself holds under a name; null: nothing.
const py::Value* AttributeOf(const py::Instance& instance, std::string_view name);

// The last record of a kind; null: there is none.
const Record* LastRecord(const std::vector<Record>& records, std::string_view kind);

// Optimizer, loss, accumulation; nullopt: nothing is trained.
std::optional<TrainingSpec> TrainingOf(const std::vector<Record>& records);
// The optimizer of a program whose model was not read: that of its step, else the one it makes
// last. What it says of the loss is that of a model that is not there. Nullopt: it makes none.
std::optional<TrainingSpec> OptimizerMade(const std::vector<Record>& records);
// Says so where the program makes an optimizer of another kind than that of `spec`: a model that
// stands in for the program's has one for all of its weights.
void NoteOtherOptimizer(const std::vector<Record>& records, const TrainingSpec& spec,
                        const std::function<void(const Location&, std::string)>& note);
// Whether a graph gives what it is given.
bool ComputesNothing(const Graph& graph);
// Whether less than a tenth of the weights that the last optimizer, or all of them, hold is
// trained: the graph has no more of them, or the last gradients are those of inputs.
bool HoldsLittle(const std::vector<Record>& records, const Graph& graph, bool all);
// Notes that the step has less than nine tenths of the weights that the last optimizer holds, and
// returns what it says; empty: it has more.
std::string LeftOut(py::Interpreter& in, const std::vector<Record>& records, const Graph& graph);

// These return the kind that the name of an optimizer or a loss tells.
std::optional<OptimizerKind> OptimizerOf(const std::string& name, double momentum);
LossKind LossOf(const std::string& name);

// The place where a program is seen to train on one device: it neither starts a process for each,
// nor lays them out in a mesh, nor asks how many there are. Null: it may use several.
const Record* OneDeviceOf(const Trace& trace, Framework framework);

// The parts that each shard of the batch runs in, for a workload that trains. A program that does
// not share its batch out adds up the gradients of `accumulation_steps` parts on one core; on more
// of them a part stays as large, and there are fewer. One that shares it out has them on each.
int64_t PartsPerCore(const Trace& trace, const Workload& workload, int64_t cores);

// Other networks that the same round of a loop trains before the last backward pass, each with an
// optimizer of its own (both halves of a GAN), and the updates that later passes see.
struct EarlierPasses {
  std::vector<OtherLoss> losses = {};
  std::vector<UpdateInStep> updates = {};
  std::vector<Value> trained_by_last = {};
  // Loops and branches within the round whose passes count once.
  std::vector<const Record*> repeats = {};
};
EarlierPasses PassesBefore(const std::vector<Record>& records);
std::string RepeatsText(const Record& loop);
// A backward pass over weights that neither the last one nor those before it train; null: none.
const Record* PassLeftOut(const std::vector<Record>& records, const EarlierPasses& earlier);

// `weights`, and those that the passes of the step train where it has several.
std::vector<Value> WithTrained(std::vector<Value> weights, const StepRequest& request);

std::vector<Value> ValuesOf(const std::vector<const Tensor*>& tensors);
// Whether each core runs the graph of the last step as it is, on its part of a batch that is known.
bool RunsPerCore(const std::vector<Record>& records, const Workload& workload);
// Whether an input or a weight has a size that stands for one that is not known.
bool HoldsStandIns(const Trace& trace, const Graph& graph);
// Records the batch that a step was traced with, where nothing else said it.
void RecordTracedBatch(Trace& trace, const TracedStep& step);
// The sizes of what placeholders are fed, where the graph of them is another: one was made with
// other sizes, the batch was not told apart (`graph`), or there is none (null).
std::map<int64_t, std::vector<int64_t>> FedOtherwise(const Trace& trace, const Graph* graph);
// Inputs of the graph with sizes that the program leaves open.
void FindUnknownDims(const std::vector<Record>& records, Workload& out);
// What the program sets LIBTPU_INIT_ARGS to.
void ReadXlaFlags(const std::vector<Record>& records, Workload& out);
// The size of a model is known even where its step could not be made.
ModelSize SizeOf(const Tracer& tracer, const std::vector<Value>& weights);

}  // namespace tilewise::program
