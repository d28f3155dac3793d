// What names a study: a hash of all that its trials depend on. Another program,
// machine, option or build of tilewise makes another study.

#pragma once

#include <cstdint>
#include <string>

#include "session/session.h"
#include "tuner/evaluate.h"
#include "tuner/space.h"
#include "tuner/tuner.h"

namespace tilewise {

struct StudyIdentity {
  std::string key;  // 32 hexadecimal digits
  std::string tilewise;
  // These are for people to read.
  std::string program, target, objective;
};

// Constraints (certainty, largest batch) and the strategy are left out: trials
// do not depend on them. Places in files are left out, too.
StudyIdentity IdentityOf(const Session& session, const SearchSpace& search);

// What names a setting in a study.
std::string SettingKey(const SearchSetting& setting);

// A number for a claim on a candidate.
int64_t ClaimOf(const std::string& study, const std::string& setting, const Candidate& candidate);

// "throughput".
std::string_view ObjectiveName(Objective::Kind kind);

}  // namespace tilewise
