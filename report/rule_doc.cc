// A line without a heading goes on with the paragraph above it.
// Markdown that stays the same while simulated figures change: only the rule's
// text and its fixtures are in it.

#include "report/rule_doc.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "report/text.h"

namespace tilewise {
namespace {

struct Family {
  std::string_view letters;
  std::string_view title;
};

constexpr Family kFamilies[] = {
    {"AL", "alignment and padding"},
    {"CO", "compilation"},
    {"CX", "C++ sources"},
    {"DI", "distribution"},
    {"DY", "dynamic shapes"},
    {"FU", "fusion"},
    {"HL", "host loop"},
    {"IP", "input pipeline"},
    {"LY", "layout"},
    {"ME", "memory"},
    {"OP", "operators"},
    {"PR", "precision"},
    {"RD", "reading"},
    {"SU", "suppressions"},
};

// Length of the heading that `line` starts with, without its colon; 0 for a
// line that goes on with a paragraph.
size_t HeadingSize(std::string_view line) {
  const size_t colon = line.find(": ");
  if (colon == std::string_view::npos || colon == 0) return 0;
  const bool word = std::ranges::all_of(line.substr(1, colon - 1), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0;
  });
  const bool capital = std::isupper(static_cast<unsigned char>(line[0])) != 0;
  return word && capital ? colon : 0;
}

void AddLine(std::string_view line, std::vector<Paragraph>& paragraphs) {
  if (line.empty()) return;
  const size_t heading = HeadingSize(line);
  if (heading > 0) {
    paragraphs.push_back(
        {std::string(line.substr(0, heading)), std::string(line.substr(heading + 2))});
  } else if (!paragraphs.empty()) {
    paragraphs.back().text += fmt::format(" {}", line);
  }
}

// The word after ``` for highlighting.
std::string_view LanguageOf(std::string_view file) {
  struct Language {
    std::string_view ending, name;
  };
  constexpr Language kLanguages[] = {
      {".py", "python"},       {".ipynb", "json"},      {".json", "json"}, {".yaml", "yaml"},
      {".yml", "yaml"},        {".cc", "cpp"},          {".mlir", "mlir"}, {".hlo", "hlo"},
      {".pbtxt", "textproto"}, {".config", "textproto"}};
  for (const Language& language : kLanguages) {
    if (file.ends_with(language.ending)) return language.name;
  }
  return "text";
}

// Longer than any run of backticks in the text.
std::string FenceFor(std::string_view text) {
  size_t longest = 2;
  size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string Examples(std::span<const RuleExample> examples, bool bad, std::string_view title,
                     std::string_view intro) {
  std::string text;
  for (const RuleExample& example : examples) {
    if (example.bad == bad) text += ExampleMarkdown(example) + "\n";
  }
  if (text.empty()) return "";
  return fmt::format("## {}\n\n{}\n\n{}", title, intro, text);
}

std::string_view SetSentence(RuleSet set) {
  switch (set) {
    case RuleSet::kDefault:
      return "default: part of every run";
    case RuleSet::kOptional:
      return "optional: runs when it is selected by id, name or family";
    case RuleSet::kPreview:
      return "preview: runs when it is selected by id or name, or with `--preview`";
  }
  return "";
}

std::string_view FixSentence(Applicability fix) {
  switch (fix) {
    case Applicability::kSafe:
      return "safe: `--fix` makes it, the meaning of the program stays";
    case Applicability::kUnsafe:
      return "unsafe: `--unsafe-fixes` makes it where it is a text edit; "
             "numbers, order or callbacks may change";
    case Applicability::kShow:
      return "shown for a person to apply";
    case Applicability::kNone:
      return "none: there is only advice";
  }
  return "";
}

// Markdown is read by people in a terminal too, so lines are kept short; those
// after the first begin with `indent`.
std::string Wrapped(std::string_view text, std::string_view indent = "") {
  constexpr size_t kWidth = 100;
  std::string out, line;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = indent;
    } else if (begin > 0) {
      line += ' ';
    }
    line += word;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string Item(std::string_view text) { return Wrapped(fmt::format("- {}", text), "  "); }

std::string FactList(const RuleInfo& info) {
  std::string text = fmt::format("- Family: {} (`{}`)\n- Severity: {}\n", FamilyTitle(info.id),
                                 info.id.substr(0, 2), SeverityName(info.severity)) +
                     Item(fmt::format("Set: {}", SetSentence(info.set))) +
                     Item(fmt::format("Fix: {}", FixSentence(info.fix)));
  if (info.changes_numerics) {
    text += "- The fix changes numerics: compare accuracy\n";
  }
  return text;
}

std::string ThresholdLines(const RuleInfo& info) {
  if (info.thresholds.empty()) return "";
  Table table({{"key", Align::kLeft}, {"default"}, {"meaning", Align::kLeft}});
  for (const Threshold& threshold : info.thresholds) {
    table.AddRow({ThresholdKey(info, threshold), ThresholdValue(threshold.value),
                  std::string(threshold.summary)});
  }
  return fmt::format(
      "## Thresholds\n\nUnder `thresholds` in `.tilewise.yaml`, or "
      "`--threshold KEY=VALUE`.\n\n{}\n",
      table.Markdown());
}

std::string_view TitleOf(const RuleInfo& info, std::string_view heading) {
  const bool of_device = !info.id.starts_with("SU");
  if (heading == "Why" && of_device) return "Why on a TPU";
  if (heading == "Ignore") return "When to ignore it";
  if (heading == "Numbers") return "How the numbers are computed";
  return heading;
}

}  // namespace

std::string RuleHeading(const RuleInfo& info) {
  return fmt::format("{} {} ({}, fix: {}{}, {} set): {}", info.id, info.name,
                     SeverityName(info.severity), ApplicabilityName(info.fix),
                     info.changes_numerics ? ", changes numerics" : "", SetName(info.set),
                     info.summary);
}

std::vector<Paragraph> RuleParagraphs(const RuleInfo& info) {
  std::vector<Paragraph> paragraphs;
  std::string_view doc = info.doc;
  while (!doc.empty()) {
    const size_t end = std::min(doc.find('\n'), doc.size());
    AddLine(doc.substr(0, end), paragraphs);
    doc.remove_prefix(std::min(end + 1, doc.size()));
  }
  if (!info.no_saving.empty()) {
    paragraphs.push_back({"Saving", fmt::format("Where none is simulated: {}.", info.no_saving)});
  }
  return paragraphs;
}

std::string RuleParagraph(const RuleInfo& info, std::string_view title) {
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    if (paragraph.title == title) return paragraph.text;
  }
  return "";
}

std::string_view SetName(RuleSet set) {
  switch (set) {
    case RuleSet::kDefault:
      return "default";
    case RuleSet::kOptional:
      return "optional";
    case RuleSet::kPreview:
      return "preview";
  }
  return "?";
}

std::string_view FamilyTitle(std::string_view id) {
  const std::string_view letters = id.substr(0, 2);
  for (const Family& family : kFamilies) {
    if (family.letters == letters) return family.title;
  }
  return letters;
}

std::string ThresholdKey(const RuleInfo& info, const Threshold& threshold) {
  return fmt::format("{}.{}", info.id, threshold.name);
}

std::string ThresholdValue(double value) {
  const bool whole = value == static_cast<double>(static_cast<int64_t>(value));
  return whole ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{}", value);
}

std::string ExampleMarkdown(const RuleExample& example) {
  if (example.text.empty()) {
    return fmt::format("`{}` (not shown: too long, or not text)\n", example.file);
  }
  const std::string fence = FenceFor(example.text);
  const std::string_view end = example.text.ends_with('\n') ? "" : "\n";
  return fmt::format("`{}`\n\n{}{}\n{}{}{}\n", example.file, fence, LanguageOf(example.file),
                     example.text, end, fence);
}

std::string RulePage(const RuleInfo& info, std::span<const RuleExample> examples) {
  std::string text = fmt::format(
      "<!-- Generated by scripts/rule-docs; do not edit. -->\n\n# {} {}\n\n"
      "{}\n{}\n",
      info.id, info.name, Wrapped(EscapeMarkdown(info.summary)), FactList(info));
  std::string sources;
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    const std::string section = fmt::format("## {}\n\n{}\n", TitleOf(info, paragraph.title),
                                            Wrapped(EscapeMarkdown(paragraph.text)));
    (paragraph.title == "Sources" ? sources : text) += section;
  }
  text += ThresholdLines(info);
  text += Examples(examples, true, "It speaks here",
                   "`want:` marks the lines of the findings; the first line "
                   "may set chip, cores and batch.");
  text += Examples(examples, false, "It is silent here", "Alike, but nothing to say.");
  text += sources;
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string RuleIndex(std::span<const Rule* const> rules, std::span<const RuleInfo> notes) {
  std::string text = fmt::format(
      "<!-- Generated by scripts/rule-docs; do not edit. -->\n\n# Rules\n\n{}",
      Wrapped(fmt::format("{} rules. `tilewise explain RULE` prints a page's text offline; "
                          "`tilewise list rules` this list. Sets: *default* rules are part of "
                          "every run, *optional* and *preview* ones run when they are "
                          "selected; `--preview` adds the previews.",
                          rules.size())));
  std::string_view family;
  for (const Rule* rule : rules) {
    const RuleInfo& info = rule->info;
    if (info.id.substr(0, 2) != family) {
      family = info.id.substr(0, 2);
      text += fmt::format("\n## {} {}\n\n", family, FamilyTitle(info.id));
    }
    text += Item(fmt::format("[{0}]({0}.md) {1} ({2}, {3}, fix: {4}): {5}", info.id, info.name,
                             SeverityName(info.severity), SetName(info.set),
                             ApplicabilityName(info.fix), EscapeMarkdown(info.summary)));
  }
  text += "\n## RD notes\n\n" +
          Wrapped(
              "What of the files could not be read, resolved or simulated. Notes are no findings: "
              "they cannot be selected, ignored or suppressed, and fail no run.") +
          "\n";
  for (const RuleInfo& note : notes) {
    text += Item(fmt::format("{} {}: {} Effect: {} Remedy: {}", note.id, note.name,
                             EscapeMarkdown(RuleParagraph(note, "What")),
                             EscapeMarkdown(RuleParagraph(note, "Effect")),
                             EscapeMarkdown(RuleParagraph(note, "Remedy"))));
  }
  return text;
}

}  // namespace tilewise
