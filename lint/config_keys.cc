// The table of keys: name, kind, commands, default, meaning, flag. To add a
// setting: its option in cli/options or cli/lint/options.cc, its line here, its
// entry in docs/configuration.md (a test compares the three).

#include "lint/config_keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace tilewise {
namespace {

using enum KeyKind;
using enum KeyScope;

constexpr ConfigKey kKeys[] = {
    {"extends", kSection, kModel, "",
     "other configurations that this one starts from, relative to it", ""},

    {"select", kWords, kRules, "",
     "only these rules: ids, names, families (IP) or ALL; the default set without it", "select"},
    {"extend-select", kWords, kRules, "", "these rules too", "extend-select"},
    {"ignore", kWords, kRules, "", "not these rules", "ignore"},
    {"extend-ignore", kWords, kRules, "",
     "not these rules either, whatever an extended file ignores", "extend-ignore"},
    {"preview", kFlag, kRules, "false", "new rules too, which may still change", "preview"},
    {"severity", kSection, kRules, "", "by rule, name or family: info, warning, error or off",
     "severity"},
    {"thresholds", kSection, kRules, "",
     "numbers that rules compare with, by RULE.name; 'explain RULE' shows them", "threshold"},
    {"fixed-dims", kWords, kRules, "",
     "sizes and names of dims that no rule may want otherwise: 30522, embedding, dense/kernel:1",
     "fixed-dims"},
    {"fail-on", kWord, kRules, "",
     "exit 1 when a finding is at least this severe: info, warning, error or never", "fail-on"},
    {"max-warnings", kNumber, kLint, "", "exit 1 when there are more warnings than this",
     "max-warnings"},
    {"exit-zero", kFlag, kLint, "false", "exit 0 whatever was found", "exit-zero"},
    {"per-path", kSection, kRules, "",
     "other rules for some files: paths, and select, ignore, severity, thresholds", ""},
    {"suppress", kSection, kLint, "",
     "findings that are accepted: rule, path, node (globs) and the reason", ""},

    {"chip", kMachine, kModel, "", "TPU generation, or a .txtpb file", "chip"},
    {"cores", kNumber, kModel, "", "cores of the slice", "cores"},
    {"host", kMachine, kModel, "", "machine that feeds the TPU", "host"},
    {"mesh", kWord, kModel, "", "how the cores share the work", "mesh"},
    {"slices", kNumber, kModel, "", "groups of cores that only the data centre's network joins",
     "slices"},
    {"batch", kNumber, kModel, "", "global batch of all cores", "batch"},
    {"batch-per-core", kNumber, kModel, "",
     "the same, per core or group of cores that share their examples", "batch-per-core"},
    {"batch-per-device", kWord, kModel, "",
     "the same, per device, as MaxText's per_device_batch_size: 0.25", "batch-per-device"},
    {"batch-dim", kWords, kModel, "", "the input's dim that is the batch, as INPUT:DIM",
     "batch-dim"},
    {"optimizer", kWord, kModel, "", "instead of the one that the files name", "optimizer"},
    {"mu-dtype", kWord, kModel, "", "type of momentum and first moments", "mu-dtype"},
    {"grad-dtype", kWord, kModel, "", "type in which gradients reach the optimizer", "grad-dtype"},
    {"remat", kWord, kModel, "", "what the backward pass computes again", "remat"},
    {"weight-update-sharding", kFlag, kModel, "false",
     "cores share the optimizer's work and state out", "weight-update-sharding"},
    {"gradient-accumulation", kNumber, kModel, "",
     "parts of a core's batch that run one after the other", "gradient-accumulation"},
    {"xla-flags", kWord, kModel, "", "flags that the run gives XLA, as in LIBTPU_INIT_ARGS",
     "xla-flags"},
    {"infer", kFlag, kModel, "", "the forward pass only", "infer"},
    {"train", kFlag, kModel, "", "the training step", "train"},
    {"steps-per-execution", kNumber, kModel, "", "instead of what compile() says",
     "steps-per-execution"},
    {"steps-per-epoch", kNumber, kModel, "", "instead of what fit() says", "steps-per-epoch"},
    {"examples", kNumber, kModel, "", "examples in an epoch, when the files do not tell",
     "examples"},
    {"pipeline", kAssignments, kModel, "",
     "measured costs of input stages by name or line, NAME: 850us, and of the data's store",
     "pipeline"},
    {"max-global-batch", kNumber, kModel, "", "largest global batch that may be recommended",
     "max-global-batch"},
    {"certainty", kNumber, kModel, "95",
     "percent of published programs that fit where a batch is recommended", "certainty"},
    {"input-format", kWord, kModel, "",
     "read files as this format, whatever their content looks like", "input-format"},
    {"python-path", kPaths, kModel, "",
     "folders in which modules that programs import are looked for", "python-path"},
    {"program-argument", kWords, kModel, "", "arguments of the program's own command line",
     "program-argument"},
    {"assume", kWords, kModel, "", "NAME=VALUE: what names are that the program assigns", "assume"},
    {"model", kWord, kModel, "", "an expression in the program that makes its model", "model"},
    {"input", kWord, kModel, "", "shapes of one example for `model`", "input"},
    {"workloads", kSection, kLint, "",
     "files that are one program, by name, with their own chip, cores, batch", ""},

    {"exclude", kGlobs, kLint, "", "files and folders that no walk enters", "exclude"},
    {"respect-gitignore", kFlag, kLint, "true", "walks leave out what .gitignore files name",
     "respect-gitignore"},
    {"together", kFlag, kLint, "", "true: all arguments are one program; false: each is its own",
     "together"},
    {"cache", kFlag, kLint, "true", "keep findings of files that do not change", "cache"},
    {"cache-dir", kPath, kLint, "", "where; a folder in use that is no cache is left alone",
     "cache-dir"},
    {"jobs", kNumber, kModel, "", "threads of lint and tune; one per core without it", "jobs"},
    {"study", kWord, kModel, "", "where tune keeps its trials; the user's own configuration only",
     "study"},
    {"baseline", kPath, kLint, "", "file of known findings, which are silent", "baseline"},
    {"pass-on-stale", kFlag, kLint, "false",
     "entries of the baseline that are not found any more are no failure", "pass-on-stale"},
    {"fix", kFlag, kLint, "false", "apply safe fixes; the user's own configuration only", "fix"},
    {"unsafe-fixes", kFlag, kLint, "false", "unsafe ones too, where fixes are applied",
     "unsafe-fixes"},

    {"format", kWord, kLint, "text", "of the report", "format"},
    {"output", kPath, kLint, "", "file for the report; the user's own configuration only",
     "output"},
    {"color", kWord, kModel, "auto", "auto, always or never", "color"},
    {"verbose", kFlag, kModel, "false", "all rows of all tables", "verbose"},
    {"statistics", kFlag, kLint, "false", "counts and savings by rule", "statistics"},
};

constexpr std::array<std::string_view, 7> kRuleKeys = {
    "select", "extend-select", "ignore", "extend-ignore", "preview", "severity", "thresholds"};
constexpr std::array<std::string_view, 3> kWritingKeys = {"output", "fix", "study"};
constexpr std::array<std::string_view, 9> kNotOfWorkloads = {
    "color",     "verbose", "fail-on", "per-path", "extends", "max-global-batch",
    "certainty", "jobs",    "study"};

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::span<const ConfigKey> ConfigKeys() { return kKeys; }

const ConfigKey* FindConfigKey(std::string_view name) {
  const auto* found = std::ranges::find(kKeys, name, &ConfigKey::name);
  return found == std::end(kKeys) ? nullptr : found;
}

std::vector<std::string> ConfigKeyNames() {
  std::vector<std::string> names;
  names.reserve(std::size(kKeys));
  for (const ConfigKey& key : kKeys) names.emplace_back(key.name);
  return names;
}

bool IsWorkloadKey(const ConfigKey& key) {
  return key.scope == kModel && !Has(kNotOfWorkloads, key.name);
}

bool IsWritingKey(const ConfigKey& key) { return Has(kWritingKeys, key.name); }

bool NamesPaths(const ConfigKey& key) {
  return key.kind == kPath || key.kind == kPaths || key.kind == kMachine;
}

bool IsRuleKey(const ConfigKey& key) { return Has(kRuleKeys, key.name); }

std::string VariableOf(std::string_view flag) {
  std::string variable = "TILEWISE_";
  for (const char c : flag) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

}  // namespace tilewise
