// What `profile` prints: a section for each question.

#pragma once

#include <vector>

#include "profile/analysis/analysis.h"
#include "profile/profile.h"
#include "report/listing.h"

namespace tilewise {

// `verbose`: all rows of the tables.
std::vector<ListingSection> ProfileSections(const Profile& profile, const ProfileAnalysis& analysis,
                                            bool verbose);

// Sizes and times with the number behind the text; 0 is left out.
ListingCell TimeCell(Seconds time);

}  // namespace tilewise
