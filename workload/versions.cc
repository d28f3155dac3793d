// Pins and checks of versions, the Keras package that is imported, and the
// environment variables that choose a backend.

#include "workload/versions.h"

#include <algorithm>
#include <limits>

#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr int kLast = std::numeric_limits<int>::max();
constexpr Release kRenamed = {2, 4};  // experimental_ was dropped
constexpr Release kKeras3InTensorflow = {2, 16};

std::string_view Setting(const SourceFacts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts.environment, name, &SourceSetting::name);
  if (found == facts.environment.end()) return {};
  return found->value;
}

// keras, not tf.keras: as the import is written.
bool ImportsKerasItself(const SourceFacts& facts) { return Imports(facts, "keras"); }

}  // namespace

std::optional<Release> NewestRelease(const SourceFacts& facts, std::string_view package) {
  std::optional<Release> newest;
  for (const PackageVersion& version : facts.versions) {
    if (version.package != package || version.relation.starts_with('>')) {
      continue;
    }
    Release release = {version.major, version.minor < 0 ? kLast : version.minor};
    if (version.relation == "~=") release.second = kLast;
    // A release below 2.4 is 2.3 at most; one below 3 is any 2.
    if (version.relation == "<" && version.minor > 0) --release.second;
    if (version.relation == "<" && version.minor <= 0) {
      release = {version.major - 1, kLast};
    }
    if (!newest || release < *newest) newest = release;
  }
  return newest;
}

std::optional<Release> OldestRelease(const SourceFacts& facts, std::string_view package) {
  std::optional<Release> oldest;
  for (const PackageVersion& version : facts.versions) {
    if (version.package != package || version.relation.starts_with('<')) {
      continue;
    }
    const Release release = {version.major, std::max(version.minor, 0)};
    if (!oldest || release > *oldest) oldest = release;
  }
  return oldest;
}

KerasFlavour KerasOf(const SourceFacts& facts) {
  KerasFlavour flavour;
  const std::string_view backend = Setting(facts, "KERAS_BACKEND");
  flavour.backend_stated = !backend.empty();
  if (backend == "jax") flavour.backend = KerasBackend::kJax;
  if (backend == "torch") flavour.backend = KerasBackend::kTorch;
  const auto keras = OldestRelease(facts, "keras");
  const auto keras_newest = NewestRelease(facts, "keras");
  const auto tensorflow = OldestRelease(facts, "tensorflow");
  const auto tensorflow_newest = NewestRelease(facts, "tensorflow");
  const std::string_view legacy = Setting(facts, "TF_USE_LEGACY_KERAS");
  const bool keras2 = Imports(facts, "tf_keras") || legacy == "1" || legacy == "True" ||
                      (keras_newest && keras_newest->first < 3) ||
                      (tensorflow_newest && *tensorflow_newest < kKeras3InTensorflow);
  const bool keras3 = flavour.backend_stated || Imports(facts, "keras_core") ||
                      Imports(facts, "keras.ops") || (keras && keras->first >= 3) ||
                      (tensorflow && *tensorflow >= kKeras3InTensorflow) ||
                      (ImportsKerasItself(facts) && Imports(facts, "keras_hub"));
  if (keras2) {
    flavour.generation = KerasGeneration::k2;
    flavour.backend = KerasBackend::kTensorflow;
  } else if (keras3) {
    flavour.generation = KerasGeneration::k3;
  }
  return flavour;
}

std::string_view StepsPerExecutionKeyword(const SourceFacts& facts) {
  const auto newest = NewestRelease(facts, "tensorflow");
  return newest && *newest < kRenamed ? "experimental_steps_per_execution" : "steps_per_execution";
}

}  // namespace tilewise
