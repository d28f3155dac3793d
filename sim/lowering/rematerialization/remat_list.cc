// A linked list with labels that leave room between neighbours, so that the
// order of two runs can be told at once.

#include "sim/lowering/rematerialization/remat_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/lowering/buffer_assignment/buffer_index.h"

namespace tilewise {
namespace {

constexpr int64_t kGap = int64_t{1} << 24;  // between labels of neighbours

// Returns for each op whether it is a result of the step, or what one is a bitcast of.
std::vector<bool> FindResults(const Graph& graph) {
  std::vector<bool> is_result(graph.size(), false);
  for (const Output& output : graph.outputs()) {
    OpId id = output.value;
    is_result[id] = true;
    while (graph.op(id).kind == OpKind::kReshape || graph.op(id).kind == OpKind::kTranspose) {
      id = graph.op(id).operands[0];
      is_result[id] = true;
    }
  }
  return is_result;
}

}  // namespace

RematList::RematList(const Program& program)
    : written_(program.graph.size()), overwriter_(program.graph.size()) {
  AddKernels(program);
  FindOverwriters(program);
}

void RematList::AddKernels(const Program& program) {
  const std::vector<bool> is_result = FindResults(program.graph);
  for (const Buffer& buffer : program.buffers) {
    RematValue value;
    value.value = buffer.value;
    value.bytes = buffer.never_in_hbm() ? Bytes{} : buffer.padded;
    const bool is_argument = IsArgument(program.graph.op(buffer.value));
    value.stays = is_argument || is_result[buffer.value];
    if (!is_argument) value.writer = RematRunId(buffer.first.value());
    if (is_argument) arguments_ += value.bytes;
    written_[buffer.value].push_back(RematValueId(values_.size()));
    values_.push_back(std::move(value));
  }
  const BufferIndex index(program);
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    const RematRunId number(k.value());
    RematRun run;
    run.kernel = k;
    run.phase = kernel.phase;
    run.label = number.value() * kGap;
    run.before = number - 1;
    if (k + 1 < program.kernels.size()) run.next = number + 1;
    for (const OpId id : kernel.inputs) {
      const BufferId at = index.ReadAt(id, k);
      if (at < 0) continue;
      run.reads.push_back(RematValueId(at.value()));
      value(run.reads.back()).readers.push_back(number);
    }
    for (const OpId id : kernel.outputs) {
      const BufferId at = index.WrittenAt(id, k);
      if (at < 0) continue;
      run.writes.push_back(RematValueId(at.value()));
      const Buffer& buffer = program.buffers[at];
      if (buffer.in_place_of >= 0) run.shared += buffer.padded;
    }
    runs_.push_back(std::move(run));
  }
  if (!runs_.empty()) first_ = 0;
  KeepArrays(program);
}

// An array over layers is in use from the start of the loop that fills it, or to
// the end of the one that reads it.
void RematList::KeepArrays(const Program& program) {
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer& buffer = program.buffers[BufferId(i)];
    RematValue& value = values_[RematValueId(i)];
    if (value.stays || buffer.never_in_hbm()) continue;
    if (buffer.held_from >= 0) {
      value.held = true;
      runs_[RematRunId(buffer.held_from.value())].held += value.bytes;
    }
    const RematRunId last(buffer.last.value());
    if (value.readers.empty() || value.readers.back() == last) continue;
    value.readers.push_back(last);
    runs_[last].reads.push_back(RematValueId(i));
  }
}

void RematList::FindOverwriters(const Program& program) {
  std::vector<RematRunId> writer(overwriter_.size());
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    for (const OpId id : program.kernels[k].outputs) writer[id] = RematRunId(k);
  }
  for (const Output& output : program.graph.outputs()) {
    if (output.role != Output::Role::kState) continue;
    overwriter_[output.variable] = writer[output.value];
  }
}

RematValueId RematList::NewestBefore(OpId id, RematRunId at) const {
  RematValueId newest;
  int64_t label = -1;
  for (const RematValueId i : written_[id]) {
    const RematRunId writer = value(i).writer;
    if (writer < 0) return i;
    const RematRun& by = run(writer);
    if (by.is_gone || by.label >= run(at).label || by.label <= label) continue;
    newest = i;
    label = by.label;
  }
  return newest;
}

RematRunId RematList::NextReader(const RematRun& run) const {
  RematRunId next;
  for (const RematValueId i : run.writes) {
    const RematValue& written = value(i);
    if (!written.has_readers_left()) continue;
    const RematRunId reader = written.readers[written.placed];
    if (next < 0 || this->run(reader).label < this->run(next).label) {
      next = reader;
    }
  }
  return next;
}

bool RematList::IsOverwrittenBefore(OpId id, RematRunId at) const {
  const RematRunId writer = overwriter_[id];
  return writer >= 0 && run(writer).label < run(at).label;
}

RematRunId RematList::RunAgain(RematRunId run, std::vector<RematValueId> reads, RematRunId at) {
  const RematRunId made(runs_.size());
  RematRun again;
  again.kernel = this->run(run).kernel;
  again.is_copy = true;
  again.phase = this->run(at).phase;
  const std::vector<RematValueId> writes = this->run(run).writes;
  runs_.push_back(std::move(again));
  InsertBefore(made, at);
  for (const RematValueId read : reads) AddReader(read, made);
  this->run(made).reads = std::move(reads);
  bool is_read = false;  // before the new run
  for (const RematValueId i : writes) {
    RematValue again_there;
    again_there.value = value(i).value;
    again_there.bytes = value(i).bytes;
    again_there.writer = made;
    const auto left = value(i).readers.begin() + static_cast<ptrdiff_t>(value(i).placed);
    again_there.readers.assign(left, value(i).readers.end());
    value(i).readers.erase(left, value(i).readers.end());
    is_read = is_read || !value(i).readers.empty();
    const RematValueId number(values_.size());
    for (const RematRunId reader : again_there.readers) {
      std::vector<RematValueId>& theirs = this->run(reader).reads;
      std::replace(theirs.begin(), theirs.end(), i, number);
    }
    written_[again_there.value].push_back(number);
    values_.push_back(std::move(again_there));
    this->run(made).writes.push_back(number);
  }
  if (!is_read) this->run(run).is_gone = true;
  return made;
}

void RematList::InsertBefore(RematRunId made, RematRunId at) {
  const RematRunId before = run(at).before;
  const int64_t low = before < 0 ? run(at).label - kGap : run(before).label;
  run(made).before = before;
  run(made).next = at;
  run(at).before = made;
  (before < 0 ? first_ : run(before).next) = made;
  run(made).label = low + (run(at).label - low) / 2;
  if (run(made).label == low) Relabel();
}

void RematList::Relabel() {
  int64_t label = 0;
  for (RematRunId i = first_; i >= 0; i = run(i).next) {
    run(i).label = label;
    label += kGap;
  }
}

void RematList::AddReader(RematValueId i, RematRunId reader) {
  std::vector<RematRunId>& readers = value(i).readers;
  const auto place =
      std::upper_bound(readers.begin(), readers.end(), reader,
                       [this](RematRunId a, RematRunId b) { return run(a).label < run(b).label; });
  readers.insert(place, reader);
}

std::vector<Kernel> RematList::Kernels(const Program& program) const {
  std::vector<Kernel> kernels;
  kernels.reserve(runs_.size());
  std::vector<int32_t> copies(program.kernels.size(), 0);
  std::vector<bool> is_gone(program.kernels.size(), false);
  for (const RematRun& run : runs_) {
    if (run.is_gone && !run.is_copy) {
      is_gone[run.kernel] = true;
    }
  }
  for (RematRunId i = first_; i >= 0; i = run(i).next) {
    const RematRun& at = run(i);
    if (at.is_gone) continue;
    const KernelId source = at.kernel;
    kernels.push_back(program.kernels[source]);
    if (!at.is_copy) continue;
    const bool moved = is_gone[source] && copies[source] == 0;
    const int32_t number = ++copies[source];
    if (moved) continue;
    Kernel& kernel = kernels.back();
    kernel.rematerialized = true;
    kernel.phase = at.phase;
    kernel.name += number == 1 ? ".remat" : fmt::format(".remat{}", number);
  }
  return kernels;
}

}  // namespace tilewise
