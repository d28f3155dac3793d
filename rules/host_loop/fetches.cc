// Conversions, prints and loggers take numbers; the rest of the calls leaves
// arrays where they are.

#include "rules/host_loop/fetches.h"

#include <algorithm>
#include <array>

#include "rules/host_loop/step_loops.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr std::array<std::string_view, 3> kMethods = {"numpy", "item", "tolist"};
constexpr std::array<std::string_view, 3> kBuiltins = {"float", "int", "bool"};
constexpr std::array<std::string_view, 8> kFunctions = {
    "jax.device_get", "numpy.asarray", "numpy.array", "numpy.mean",
    "numpy.sum",      "numpy.float32", "numpy.save",  "numpy.isnan"};
// Their arguments become text or plots.
constexpr std::array<std::string_view, 10> kLoggers = {"print",
                                                       "tqdm.write",
                                                       "tqdm.tqdm.write",
                                                       "logging.info",
                                                       "absl.logging.info",
                                                       "logger.info",
                                                       "wandb.log",
                                                       "torch_xla.core.xla_model.master_print",
                                                       "log.info",
                                                       "mlflow.log_metric"};
constexpr std::array<std::string_view, 4> kLoggerMethods = {"add_scalar", "set_postfix",
                                                            "set_description", "set_postfix_str"};

bool Has(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool IsHostConversion(const SourceCall& call) {
  return Has(kBuiltins, call.name) || Has(kFunctions, call.name) ||
         (!call.receiver.empty() && Has(kMethods, LastName(call.name)));
}

bool Waits(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  return name == "block_until_ready" || name == "wait_device_ops" || name == "effects_barrier" ||
         IsHostConversion(call) || Has(kLoggers, call.name);
}

bool Fetches(const SourceCall& call, const std::vector<std::string>& on_device) {
  const std::string_view name = LastName(call.name);
  const bool method = !call.receiver.empty() && Has(kMethods, name);
  if (method) {
    // The metric's value: loss_metric.result().numpy().
    if (call.receiver.ends_with(".result()")) return true;
    SourceArgument receiver;
    receiver.text = call.receiver;
    receiver.names = call.receiver_names;
    return ReadsValue(receiver, on_device);
  }
  const bool takes = Has(kBuiltins, call.name) || Has(kFunctions, call.name) ||
                     Has(kLoggers, call.name) || Has(kLoggerMethods, name);
  if (!takes) return false;
  return std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
    return ReadsValue(argument, on_device);
  });
}

}  // namespace tilewise
