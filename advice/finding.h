// A diagnostic and its fix as something that can be simulated.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "session/change.h"

namespace tilewise {

// The least part of the step that is named beside the findings where it is no finding.
inline constexpr double kLeastNamed = 0.0001;

// Why a finding is named beside the others alone.
inline constexpr std::string_view kLittleOfStep = "little of the step";
inline constexpr std::string_view kSavesLittle = "a fix saves little";
inline constexpr std::string_view kSavesNothing = "no fix saves time here";
inline constexpr std::string_view kOtherModel = "only another model has less of it";
inline constexpr std::string_view kPaidOnce = "paid once";
inline constexpr std::string_view kOnTpusAlone = "matters once it runs on a TPU";

struct Finding : Diagnostic {
  Change change;  // empty: the fix cannot be simulated
  // A summary keeps here the findings that it stands for, the most expensive first.
  std::vector<Diagnostic> folded = {};
  // This says why there is no saving, where it is not for the reason that the rule's info gives.
  std::string no_saving = {};
  // This says why the rule's fixes have no change: RuleInfo::no_saving.
  std::string_view no_change = {};
  // What the fix saves once the input and the loop have theirs, where something of theirs hides it.
  std::optional<Saving> saving_once_fed = {};
  // A run's log says it: it is said however small it is.
  bool measured = false;
  // It is about what the program learns, not about time: it is said without a saving.
  bool of_learning = false;
  // Why its rule takes it for too little to be a finding (kLittleOfStep): it is named
  // beside the findings (RD006). Empty: it is a finding.
  std::string too_small = {};
};

}  // namespace tilewise
