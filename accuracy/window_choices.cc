// A row with windows has two points on its line: as chosen, then as given.

#include "accuracy/validate.h"

namespace tilewise {

WindowChoices CountSameWindows(const std::vector<ComparedRow>& comparisons) {
  WindowChoices choices;
  for (size_t i = 1; i < comparisons.size(); ++i) {
    const ComparedRow& chosen = comparisons[i - 1];
    const ComparedRow& given = comparisons[i];
    if (!given.point.matmul_cuts || chosen.point.matmul_cuts ||
        chosen.point.line != given.point.line || !chosen.prediction || !given.prediction) {
      continue;
    }
    ++choices.rows;
    if (chosen.prediction->device == given.prediction->device) ++choices.same;
  }
  return choices;
}

}  // namespace tilewise
