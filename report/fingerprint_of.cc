// FNV-1a with 64 bits stands in where a finding has no fingerprint of its own.

#include "report/fingerprint_of.h"

#include <cstdint>
#include <set>

#include <fmt/format.h>

namespace tilewise {
namespace {

uint64_t Fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string OfPlace(const Diagnostic& finding, int turn) {
  return fmt::format("{:016x}", Fnv1a(fmt::format("{}\n{}\n{}", finding.rule,
                                                  FormatLocation(finding.location), turn)));
}

}  // namespace

std::vector<std::string> DistinctFingerprints(const std::vector<Diagnostic>& findings) {
  std::vector<std::string> fingerprints;
  fingerprints.reserve(findings.size());
  std::set<std::string> taken;
  for (const Diagnostic& finding : findings) {
    std::string fingerprint = finding.fingerprint;
    for (int turn = 0; fingerprint.empty() || taken.contains(fingerprint); ++turn) {
      fingerprint = OfPlace(finding, turn);
    }
    taken.insert(fingerprint);
    fingerprints.push_back(std::move(fingerprint));
  }
  return fingerprints;
}

}  // namespace tilewise
