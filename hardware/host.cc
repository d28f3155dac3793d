// A host's file into the struct that the rest of the program reads.

#include "hardware/host.h"

#include "base/check.h"
#include "hardware/catalog.h"
#include "hardware/number_reader.h"
#include "hardware/target.h"
#include "hardware/text_file.h"

namespace tilewise {
namespace {

BytesPerSecond Rate(const proto::Number& number, std::string_view field, NumberReader& in) {
  return {in.Positive(number, field) * 1e9};
}

Seconds Micro(const proto::Number& number, std::string_view field, NumberReader& in) {
  return {in.NotNegative(number, field) * 1e-6};
}

Seconds Milli(const proto::Number& number, std::string_view field, NumberReader& in) {
  return {in.NotNegative(number, field) * 1e-3};
}

bool Does(const proto::Number& number, std::string_view field, NumberReader& in) {
  return in.NotNegative(number, field) != 0;
}

CompilerHabits ReadCompiler(const proto::HostRuntime& file, NumberReader& in) {
  CompilerHabits compiler;
  if (file.has_combines_all_reduces()) {
    compiler.combines_all_reduces = Does(file.combines_all_reduces(), "combines_all_reduces", in);
  }
  if (file.has_fuses_updates()) {
    compiler.fuses_updates = Does(file.fuses_updates(), "fuses_updates", in);
  }
  if (file.has_recomputes_weight_readers()) {
    compiler.recomputes_weight_readers =
        Does(file.recomputes_weight_readers(), "recomputes_weight_readers", in);
  }
  return compiler;
}

HostRuntime ReadRuntime(const proto::HostRuntime& file, NumberReader& in) {
  HostRuntime runtime;
  runtime.framework = file.framework();
  runtime.per_execution = Milli(file.per_execution_ms(), "per_execution_ms", in);
  runtime.per_step = Milli(file.per_step_ms(), "per_step_ms", in);
  runtime.per_epoch = Milli(file.per_epoch_ms(), "per_epoch_ms", in);
  if (file.has_feed_gb_per_s()) {
    runtime.feed_bandwidth = Rate(file.feed_gb_per_s(), "feed_gb_per_s", in);
  }
  if (file.has_exposed_share()) {
    runtime.exposed_share = in.Share(file.exposed_share(), "exposed_share");
  }
  runtime.compiler = ReadCompiler(file, in);
  return runtime;
}

void ReadPipelineCosts(const proto::Host& file, NumberReader& in, Host& host) {
  host.memory_copy_bandwidth = Rate(file.memory_copy_gb_per_s(), "memory_copy_gb_per_s", in);
  host.element_overhead = Micro(file.element_overhead_us(), "element_overhead_us", in);
  host.map_overhead = Micro(file.map_overhead_us(), "map_overhead_us", in);
  host.python_call = Micro(file.python_call_us(), "python_call_us", in);
  host.elementwise_bandwidth = Rate(file.elementwise_gb_per_s(), "elementwise_gb_per_s", in);
  host.decode_bandwidth = Rate(file.decode_gb_per_s(), "decode_gb_per_s", in);
  host.storage_bandwidth = Rate(file.storage_gb_per_s(), "storage_gb_per_s", in);
}

}  // namespace

const HostRuntime& Host::runtime(std::string_view framework) const {
  TW_CHECK(!runtimes.empty());
  for (const HostRuntime& candidate : runtimes) {
    if (candidate.framework == framework) return candidate;
  }
  return runtimes.front();
}

absl::StatusOr<Host> FindHost(std::string_view name) {
  TW_ASSIGN_OR_RETURN(const proto::Host file, FindHostFile(name));
  NumberReader in(file.name());
  Host host;
  host.name = file.name();
  host.description = file.description();
  host.vcpus = in.Whole(file.vcpus(), "vcpus");
  host.ram = in.Size(file.ram_gib(), "ram_gib", kGiB);
  host.feed_bandwidth = Rate(file.feed_gb_per_s(), "feed_gb_per_s", in);
  host.feed_latency = Micro(file.feed_latency_us(), "feed_latency_us", in);
  ReadPipelineCosts(file, in, host);
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
  return ListNumbers(file);
}

}  // namespace tilewise
