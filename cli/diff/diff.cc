// Two versions of a program, two runs, or a program and its run.

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/diff/git_tree.h"
#include "cli/diff/side.h"
#include "cli/output.h"
#include "report/difference.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

struct DiffOptions {
  ModelOptions model;
  std::vector<std::string> budget;
  OutputOptions output;
};

void Add(Arguments& arguments, DiffOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  arguments.List({.name = "--budget",
                  .help = "how much worse the new one may be: step=+3%,hbm=+1GiB,compile=+20%; "
                          "exit code 1 where it is more",
                  .type = "LIMITS"},
                 options.budget);
  Add(arguments, NamesOf(FormatsOf<Difference>()), options.output);
  AddVerbose(arguments, options.output);
}

bool IsThere(const std::string& file) {
  std::error_code error;
  return IsZooSpec(file) || std::filesystem::exists(file, error);
}

// "main..HEAD" or "main...HEAD", which starts at the common ancestor.
struct RevisionPair {
  std::string before, after;
  bool from_ancestor = false;
};

std::optional<RevisionPair> PairIn(const std::string& word) {
  const size_t dots = word.find("..");
  // "../old.py" is a path that is not there.
  if (dots == std::string::npos || word.substr(dots).starts_with("../")) return std::nullopt;
  RevisionPair pair;
  pair.from_ancestor = word.substr(dots).starts_with("...");
  pair.before = word.substr(0, dots);
  pair.after = word.substr(dots + (pair.from_ancestor ? 3 : 2));
  if (pair.before.empty()) pair.before = "HEAD";
  if (pair.after.empty()) pair.after = "HEAD";
  return pair;
}

std::string NameAt(const std::vector<std::string>& files, const std::string& when) {
  return fmt::format("{} at {}", fmt::join(files, " + "), when);
}

absl::StatusOr<DiffSide> SideAt(const std::string& revision, const std::vector<std::string>& files,
                                const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const GitTree tree, ReadGitTree(revision, files));
  SideInput input;
  input.name = NameAt(files, revision);
  input.root = tree.folder.path().string();
  for (const std::string& file : files) input.files.push_back(tree.PathOf(file));
  // Modules that are imported come from the same revision.
  ModelOptions at = options;
  for (std::string& folder : at.inputs.program.python_path) folder = tree.PathOf(folder);
  return ReadSide(input, at);
}

using BothSides = std::pair<DiffSide, DiffSide>;

absl::StatusOr<BothSides> SidesOfRevisions(const DiffOptions& options) {
  const std::vector<std::string>& words = options.model.inputs.files;
  const std::vector<std::string> files(words.begin() + 1, words.end());
  const std::optional<RevisionPair> pair = PairIn(words.front());
  std::string old = pair ? pair->before : words.front();
  if (pair && pair->from_ancestor) {
    TW_ASSIGN_OR_RETURN(old, GitMergeBase(pair->before, pair->after, files.front()));
  }
  TW_ASSIGN_OR_RETURN(DiffSide before, SideAt(old, files, options.model));
  if (pair && pair->from_ancestor) {
    before.name = NameAt(files, fmt::format("where {} and {} part", pair->before, pair->after));
  }
  if (pair) {
    TW_ASSIGN_OR_RETURN(DiffSide after, SideAt(pair->after, files, options.model));
    return BothSides(std::move(before), std::move(after));
  }
  SideInput now;
  now.name = NameAt(files, "the work tree");
  now.files = files;
  TW_ASSIGN_OR_RETURN(DiffSide after, ReadSide(now, options.model));
  return BothSides(std::move(before), std::move(after));
}

absl::StatusOr<BothSides> Sides(const DiffOptions& options) {
  const std::vector<std::string>& words = options.model.inputs.files;
  if (words.size() < 2) {
    return InvalidInput(
        fmt::format("found '{}' alone, expected OLD NEW, or a revision or A..B of Git and a file",
                    fmt::join(words, " ")));
  }
  if (!IsThere(words.front())) {
    const std::optional<RevisionPair> pair = PairIn(words.front());
    if (pair || IsGitRevision(words.front(), words[1])) return SidesOfRevisions(options);
  }
  if (words.size() > 2) {
    return InvalidInput(fmt::format(
        "found {} files, expected two, or a revision of Git before them (main..HEAD, HEAD~1)",
        words.size()));
  }
  TW_ASSIGN_OR_RETURN(DiffSide before,
                      ReadSide({.name = words[0], .files = {words[0]}}, options.model));
  TW_ASSIGN_OR_RETURN(DiffSide after,
                      ReadSide({.name = words[1], .files = {words[1]}}, options.model));
  // Findings of two files of other names are the same where their subject is.
  return BothSides(std::move(before), std::move(after));
}

absl::StatusOr<int> RunDiff(const DiffOptions& options) {
  std::vector<BudgetLimit> limits;
  for (const std::string& text : options.budget) {
    TW_ASSIGN_OR_RETURN(BudgetLimit limit, ParseBudget(text));
    limits.push_back(std::move(limit));
  }
  TW_ASSIGN_OR_RETURN(BothSides sides, Sides(options));
  Difference difference = Compare(std::move(sides.first), std::move(sides.second), limits);
  difference.version = TILEWISE_VERSION;
  TW_RETURN_IF_ERROR(Render(difference, options.output));
  return difference.within_budget() ? kExitClean : kExitFindings;
}

}  // namespace

TW_RUNS_COMMAND(Diff, RunDiff)

}  // namespace tilewise
