// A rule's own documentation taken apart: its text has paragraphs that start
// with one capitalised word and a colon, "Why: ...".

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/listing.h"
#include "rules/rule.h"

namespace tilewise {

// "IP002 prefetch-not-last (warning, fix: safe, default set): prefetch is ...".
std::string RuleHeading(const RuleInfo& info);

// Returns the paragraphs in their order, lines joined.
std::vector<Paragraph> RuleParagraphs(const RuleInfo& info);
// The text of the paragraph with that title; empty without one.
std::string RuleParagraph(const RuleInfo& info, std::string_view title);

// "default", "optional", "preview".
std::string_view SetName(RuleSet set);

// What the first letters of an id stand for: "IP" is "input pipeline". The
// letters themselves where they are not known.
std::string_view FamilyTitle(std::string_view id);

// The key of a threshold in the configuration: "AL009.min-ratio".
std::string ThresholdKey(const RuleInfo& info, const Threshold& threshold);

// "0.05", "1024": as short as it reads back to the same number.
std::string ThresholdValue(double value);

// The file's name, and its text between fences.
std::string ExampleMarkdown(const RuleExample& example);

// "What", "Why" and so on; what fires and what does not; thresholds; fix.
std::string RulePage(const RuleInfo& info, std::span<const RuleExample> examples);

// A list per family with links to the pages, and one of the notes.
std::string RuleIndex(std::span<const Rule* const> rules, std::span<const RuleInfo> notes);

}  // namespace tilewise
