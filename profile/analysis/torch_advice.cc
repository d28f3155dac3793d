// What reports of torch_xla's metrics tell: compilations, values that the host
// reads, and ops that run there.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "profile/analysis/analysis.h"

namespace tilewise {
namespace {

class TorchAdvisor {
 public:
  TorchAdvisor(const Profile& profile, ProfileAnalysis& analysis)
      : profile_(profile), analysis_(analysis) {}

  // Reports of torch_xla: judged per step, as its own analyser does.
  void Run() {
    const auto& timers = profile_.stated.timers;
    if (timers.empty() && profile_.format.find("torch_xla") == std::string::npos) return;
    const double steps = std::max(Counter("MarkStep"), 1.0);
    if (const auto compile = timers.find("CompileTime"); compile != timers.end()) {
      const double each = static_cast<double>(compile->second.samples) / steps;
      if (each > 0.5 && compile->second.samples > 2) {
        Add("CO004",
            fmt::format("{} compilations in {:.0f} {}, {} in all: graphs differ from step to "
                        "step",
                        compile->second.samples, steps, steps == 1 ? "step" : "steps",
                        FormatSeconds(compile->second.total)),
            "keep shapes the same (pad, drop the last batch), and read no values between");
      }
      if (compile->second.longest > Seconds{300}) {
        Add("CO002",
            fmt::format("one compilation takes {}", FormatSeconds(compile->second.longest)),
            "scan over repeated layers, so that one of them is compiled");
      }
    }
    TorchReads(steps);
    TorchFallbacks(steps);
  }

 private:
  void Add(const char* rule, std::string message, std::string fix) {
    AddFinding(rule, std::move(message), std::move(fix), Severity::kWarning, analysis_);
  }

  double Counter(const char* name) const {
    const auto found = profile_.stated.counters.find(name);
    return found == profile_.stated.counters.end() ? 0 : found->second;
  }

  void TorchReads(double steps) {
    const double reads = Counter("aten::_local_scalar_dense");
    const auto runs = profile_.stated.timers.find("ExecuteTime");
    const double executions = runs == profile_.stated.timers.end()
                                  ? 0
                                  : static_cast<double>(runs->second.samples) / steps;
    if (reads >= 0.5 * steps) {
      Add("HL006",
          fmt::format(
              "the host reads {:.1f} values of the device per step "
              "(aten::_local_scalar_dense{})",
              reads / steps,
              executions > 1.5
                  ? fmt::format("); a step is cut into {:.0f} executions (1 is right", executions)
                  : ""),
          "read losses every few steps, or with xm.add_step_closure; no item() or if on a tensor "
          "in the step");
    }
    if (Counter("aten::nonzero") > 0) {
      Add("DY003",
          fmt::format("aten::nonzero ran {:.0f} times: the size of its result depends on values",
                      Counter("aten::nonzero")),
          "use torch.where or masks, whose results have a known size");
    }
  }

  void TorchFallbacks(double steps) {
    std::vector<std::string> names;
    for (const auto& [name, value] : profile_.stated.counters) {
      if (!name.starts_with("aten::") || name == "aten::_local_scalar_dense" ||
          name == "aten::nonzero") {
        continue;
      }
      names.push_back(fmt::format("{} ({:.1f} a step)", name, value / steps));
    }
    if (names.empty()) return;
    Add("OP011", fmt::format("ops run on the host: {}", fmt::join(names, ", ")),
        "replace them by ops that torch_xla lowers, or compute them outside the step");
  }

  const Profile& profile_;
  ProfileAnalysis& analysis_;
};

}  // namespace

void AddTorchAdvice(const Profile& profile, ProfileAnalysis& analysis) {
  TorchAdvisor(profile, analysis).Run();
}

}  // namespace tilewise
