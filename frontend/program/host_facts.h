// What the records of a program say of the loop around its steps, with the
// locations of the calls.

#pragma once

#include <optional>
#include <vector>

#include "frontend/program/stages.h"
#include "frontend/program/trace.h"
#include "graph/training.h"
#include "pipeline/host_loop.h"
#include "workload/source_facts.h"

namespace tilewise::program {

class HostFacts {
 public:
  HostFacts(const std::vector<Record>& records, SourceTexts& texts, StageReader::NoteFunction note);
  HostLoop Loop(const std::optional<TrainingSpec>& training, int64_t cores, int64_t hosts) const;
  // What compile() says for a model without a step; nullopt: nothing compiles one.
  std::optional<TrainingSpec> CompiledTraining() const;
  // Whether fit() or an estimator says the batch itself.
  bool NamesBatch() const;
  // Says which options of the command line are taken at their defaults.
  void NoteFlags() const;
  // Precision policy and strategy.
  void Fill(SourceFacts& facts) const;

 private:
  void ReadFit(HostLoop& loop) const;
  void ReadCompile(HostLoop& loop) const;
  void NoteOtherFits() const;
  const Record* CompileBefore(const Record& fit) const;
  void ReadEstimator(HostLoop& loop) const;
  void ReadIterations(HostLoop& loop) const;  // steps that one execution takes
  void ReadStepsOfFunction(const Record* backward, HostLoop& loop) const;
  std::vector<Callback> Callbacks(const py::Value* value) const;
  // The program makes its estimator to export a model.
  bool ExportsOnly() const;
  bool UsesTpu() const;
  Framework FrameworkOfLoop() const;
  std::vector<const Record*> LoopsAround(const Record& step) const;
  // How often the loops around a step run it; nullopt: one of them does not say.
  std::optional<double> RoundsAround(const Record& step) const;
  // Whether one loop is around a step, over data.
  bool GoesOverDataOnce(const Record& step) const;
  std::optional<int64_t> StepsOfRun(const Record* backward, bool length_assumed) const;
  Location PlaceOf(const Record& record) const;
  Count ArgumentOf(const py::Value* value, python::Node call, size_t position,
                   std::string_view name, std::string_view consequence) const;

  const std::vector<Record>& records_;
  SourceTexts& texts_;
  StageReader::NoteFunction note_;
  const Record* fit_ = nullptr;      // the call that trains what the report is about
  const Record* compile_ = nullptr;  // the one in force then
};

}  // namespace tilewise::program
