// A host's file into the struct that the rest of the program reads.

#include "hardware/host.h"

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
  runtime.per_step = in.Time("per_step_ms", 1e-3);
  runtime.per_epoch = in.Time("per_epoch_ms", 1e-3);
  if (file.has_feed_gb_per_s()) {
    runtime.feed_bandwidth = in.Rate("feed_gb_per_s");
  }
  if (file.has_exposed_share()) {
    runtime.exposed_share = in.Share("exposed_share");
  }
  if (file.has_feeds_slice()) runtime.feeds_slice = in.Flag("feeds_slice");
  runtime.compiler = ReadCompiler(file, in);
  return runtime;
}

void ReadPipelineCosts(NumberReader& in, Host& host) {
  host.memory_copy_bandwidth = in.Rate("memory_copy_gb_per_s");
  host.element_overhead = in.Time("element_overhead_us", 1e-6);
  host.map_overhead = in.Time("map_overhead_us", 1e-6);
  host.python_call = in.Time("python_call_us", 1e-6);
  host.elementwise_bandwidth = in.Rate("elementwise_gb_per_s");
  host.decode_bandwidth = in.Rate("decode_gb_per_s");
  host.storage_bandwidth = in.Rate("storage_gb_per_s");
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
  NumberReader in(file.name(), file);
  Host host;
  host.name = file.name();
  host.description = file.description();
  host.vcpus = in.Whole("vcpus");
  host.ram = in.Size("ram_gib", kGiB);
  host.feed_bandwidth = in.Rate("feed_gb_per_s");
  host.feed_latency = in.Time("feed_latency_us", 1e-6);
  ReadPipelineCosts(in, host);
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
