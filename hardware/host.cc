// A host's file into the struct that the rest of the program reads.

#include "hardware/host.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "hardware/catalog.h"
#include "hardware/number_reader.h"
#include "hardware/target.h"
#include "hardware/text_file.h"

namespace tilewise {
namespace {

CompilerHabits ReadCompiler(const proto::HostRuntime& file, NumberReader& in) {
  CompilerHabits compiler;
  if (file.has_combines_all_reduces()) {
    compiler.combines_all_reduces = in.Flag("combines_all_reduces");
  }
  if (file.has_fuses_updates()) {
    compiler.fuses_updates = in.Flag("fuses_updates");
  }
  if (file.has_recomputes_weight_readers()) {
    compiler.recomputes_weight_readers = in.Flag("recomputes_weight_readers");
  }
  return compiler;
}

HostRuntime ReadRuntime(const proto::HostRuntime& file, NumberReader& in) {
  in.Enter(file);
  HostRuntime runtime;
  runtime.framework = file.framework();
  runtime.per_execution = in.Time("per_execution_ms", 1e-3);
  if (file.has_per_loop_ms()) runtime.per_loop = in.Time("per_loop_ms", 1e-3);
  runtime.per_step = in.Time("per_step_ms", 1e-3);
  runtime.per_epoch = in.Time("per_epoch_ms", 1e-3);
  if (file.has_feed_gb_per_s()) {
    runtime.feed_bandwidth = in.Rate("feed_gb_per_s");
  }
  if (file.has_exposed_share()) {
    runtime.exposed_share = in.ShareOrNone("exposed_share");
  }
  if (file.has_feeds_slice()) runtime.feeds_slice = in.Flag("feeds_slice");
  runtime.compiler = ReadCompiler(file, in);
  return runtime;
}

absl::Status ReadMachine(const proto::Host& file, Host& host) {
  const Cpu* cpu = FindCpu(file.cpu());
  const Store* store = FindStore(file.store());
  const Store* disk = FindStore(file.disk());
  if (cpu == nullptr || store == nullptr || disk == nullptr) {
    return InvalidInput(fmt::format(
        "{}: found cpu '{}', store '{}' and disk '{}', expected those of pipeline_costs.txtpb",
        file.name(), file.cpu(), file.store(), file.disk()));
  }
  host.cpu = *cpu;
  host.store = *store;
  host.disk = *disk;
  return absl::OkStatus();
}

void AppendNumbersOf(const std::string& part, const google::protobuf::Message& message,
                     std::vector<SourcedNumber>& numbers) {
  for (SourcedNumber& number : ListNumbers(message)) {
    number.field = part + "." + number.field;
    numbers.push_back(std::move(number));
  }
}

}  // namespace

const HostRuntime& Host::runtime(std::string_view framework) const {
  TW_CHECK(!runtimes.empty());
  for (const HostRuntime& candidate : runtimes) {
    if (candidate.framework == framework) return candidate;
  }
  return runtimes.front();
}

double Host::busy_cores() const {
  const PipelineCosts& costs = PublishedPipelineCosts();
  const double gain = cpu.vcpus_per_core > 1 ? costs.second_thread_gain : 1;
  const double cores = static_cast<double>(vcpus) / cpu.vcpus_per_core;
  return std::max(1.0, cores * costs.busy_core_share * gain);
}

absl::StatusOr<Host> FindHost(std::string_view name) {
  TW_ASSIGN_OR_RETURN(const proto::Host file, FindHostFile(name));
  NumberReader in(file.name(), file);
  Host host;
  host.name = file.name();
  host.description = file.description();
  host.vcpus = in.Whole("vcpus");
  host.ram = in.Size("ram_gib", kGiB);
  host.disk_size = in.Size("disk_gib", kGiB);
  host.feed_bandwidth = in.Rate("feed_gb_per_s");
  host.feed_latency = in.Time("feed_latency_us", 1e-6);
  host.memory_copy_bandwidth = in.Rate("memory_copy_gb_per_s");
  TW_RETURN_IF_ERROR(ReadMachine(file, host));
  for (const proto::HostRuntime& runtime : file.runtimes()) {
    host.runtimes.push_back(ReadRuntime(runtime, in));
  }
  TW_RETURN_IF_ERROR(in.status());
  return host;
}

std::vector<std::string> HostNames() {
  std::vector<std::string> names;
  for (const proto::Host& host : EmbeddedHosts()) names.push_back(host.name());
  return names;
}

absl::StatusOr<std::vector<SourcedNumber>> HostNumbers(std::string_view name) {
  TW_ASSIGN_OR_RETURN(const proto::Host file, FindHostFile(name));
  std::vector<SourcedNumber> numbers = ListNumbers(file);
  const proto::PipelineCosts costs = EmbeddedPipelineCosts();
  for (const proto::Cpu& cpu : costs.cpus()) {
    if (cpu.name() == file.cpu()) AppendNumbersOf("cpu", cpu, numbers);
  }
  for (const proto::Store& store : costs.stores()) {
    if (store.name() == file.store()) AppendNumbersOf("store", store, numbers);
  }
  return numbers;
}

}  // namespace tilewise
