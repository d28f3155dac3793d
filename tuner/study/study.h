// A search whose trials are kept in a database as they end, so that it goes on
// after it was killed, and so that several processes work on it together.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "tuner/evaluate.h"
#include "tuner/study/database.h"
#include "tuner/study/key.h"
#include "tuner/tuner.h"

namespace tilewise {

class Study : public TrialLog {
 public:
  // `where`: see OpenDatabase. Errors: those of OpenStudyDatabase; what cannot
  // be written.
  static absl::StatusOr<std::unique_ptr<Study>> Open(const std::string& where,
                                                     const StudyIdentity& identity);

  absl::StatusOr<bool> Claim(const Space& space, const Candidate& candidate) override;
  absl::Status Release(const Space& space, const Candidate& candidate) override;
  absl::StatusOr<bool> Find(const Space& space, const Candidate& candidate,
                            Result& result) override;
  absl::Status Add(const Space& space, const Candidate& candidate, const Result& result) override;

  // Keeps what the search came to besides its trials, which this has seen.
  absl::Status Finish(const Tuning& tuning);

 private:
  Study(std::unique_ptr<Database> database, std::string key)
      : database_(std::move(database)), key_(std::move(key)) {}
  const std::string& KeyOf(const Space& space, int32_t setting);

  const std::unique_ptr<Database> database_;
  const std::string key_;
  std::vector<std::string> settings_;  // their keys, as far as asked for
};

}  // namespace tilewise
