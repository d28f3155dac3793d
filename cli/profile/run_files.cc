// Folders as XProf and JAX write them, with one set of files per host.

#include "cli/profile/run_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "profile/read_profile.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 6;
constexpr size_t kMostEntries = 20'000;

// By how much a file says, from most to least.
struct Suffix {
  std::string_view text;
  int detail;
};
constexpr std::array<Suffix, 12> kSuffixes = {{{".xplane.pb.gz", 3},
                                               {".xplane.pb", 3},
                                               {".trace.json.gz", 2},
                                               {".trace.json", 2},
                                               {".trace", 1},
                                               {".overview_page.pb", 0},
                                               {".overview_page.json", 0},
                                               {".input_pipeline.pb", 0},
                                               {".input_pipeline.json", 0},
                                               {".tensorflow_stats.pb", 0},
                                               {".op_profile.json", 0},
                                               {".pod_viewer.json", 0}}};

struct HostFile {
  std::string host;  // with its folder
  int detail = 0;
};

std::optional<HostFile> HostFileOf(const std::string& path) {
  for (const Suffix& suffix : kSuffixes) {
    if (!path.ends_with(suffix.text)) continue;
    return HostFile{path.substr(0, path.size() - suffix.text.size()), suffix.detail};
  }
  return std::nullopt;
}

// JAX writes the trace of a run once more under this name.
bool IsCopyOfTrace(const fs::path& path) {
  return path.filename().string().starts_with("perfetto_trace.json");
}

// Profiles below `folder`, by the folder that they lie in.
std::map<std::string, std::vector<std::string>> RunsBelow(const std::string& folder) {
  std::map<std::string, std::vector<std::string>> runs;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  size_t seen = 0;
  for (; !error && entry != fs::recursive_directory_iterator() && ++seen < kMostEntries;
       entry.increment(error)) {
    if (entry.depth() >= kDeepest) entry.disable_recursion_pending();
    if (!entry->is_regular_file(error)) continue;
    const std::string path = entry->path().string();
    const bool named = HostFileOf(path) || IsCopyOfTrace(entry->path());
    if (named && LooksLikeProfile(path)) runs[entry->path().parent_path().string()].push_back(path);
  }
  return runs;
}

void OpenFolder(const std::string& folder, RunFiles& out) {
  auto runs = RunsBelow(folder);
  if (runs.empty()) {
    out.files.push_back(folder);  // a program may be a folder, too
    return;
  }
  // Runs are named by their time.
  auto& [latest, files] = *runs.rbegin();
  if (runs.size() > 1) {
    out.notes.push_back(fmt::format("{} holds {} runs: the latest one is read, {}.", folder,
                                    runs.size(), fs::path(latest).filename().string()));
  }
  std::ranges::sort(files);
  out.files.insert(out.files.end(), files.begin(), files.end());
}

void LeaveOutRepeated(RunFiles& out) {
  std::map<std::string, int> most;  // by host
  std::map<std::string, int> most_of_folder;
  for (const std::string& path : out.files) {
    const auto file = HostFileOf(path);
    if (!file) continue;
    int& detail = most.try_emplace(file->host, file->detail).first->second;
    detail = std::max(detail, file->detail);
    int& of_folder = most_of_folder[fs::path(path).parent_path().string()];
    of_folder = std::max(of_folder, file->detail);
  }
  std::vector<std::string> kept;
  for (const std::string& path : out.files) {
    const auto file = HostFileOf(path);
    const auto folder = most_of_folder.find(fs::path(path).parent_path().string());
    const bool repeats = IsCopyOfTrace(path) ? folder != most_of_folder.end() && folder->second >= 2
                                             : file && file->detail < most[file->host];
    if (!repeats) {
      kept.push_back(path);
      continue;
    }
    out.notes.push_back(fmt::format("{} is left out: another file says more of the same host.",
                                    fs::path(path).filename().string()));
  }
  out.files = std::move(kept);
}

// Files of several runs make no sense as one.
absl::Status CheckOneMachine(const Profile& profile) {
  std::set<std::string> types;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.kind == PlaneKind::kDevice && !plane.device_type.empty()) {
      types.insert(plane.device_type);
    }
  }
  if (types.size() < 2) return absl::OkStatus();
  return InvalidInput(fmt::format(
      "found profiles of {}, expected the files of one run: profile each by itself, or compare two "
      "with 'tilewise diff'",
      fmt::join(types, " and ")));
}

}  // namespace

RunFiles FilesOfRun(const std::vector<std::string>& paths) {
  RunFiles out;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      OpenFolder(path, out);
    } else {
      out.files.push_back(path);
    }
  }
  LeaveOutRepeated(out);
  return out;
}

absl::StatusOr<Profile> ReadRun(const std::vector<std::string>& files) {
  TW_ASSIGN_OR_RETURN(Profile merged, ReadProfile(files.front()));
  for (size_t i = 1; i < files.size(); ++i) {
    TW_ASSIGN_OR_RETURN(Profile profile, ReadProfile(files[i]));
    MergeProfile(std::move(profile), merged);
  }
  if (files.size() > 1) TW_RETURN_IF_ERROR(CheckOneMachine(merged));
  const std::set<std::string> hosts(merged.hosts.begin(), merged.hosts.end());
  if (hosts.size() < merged.hosts.size()) {
    merged.notes.emplace_back(
        "Several of the files are of one host. They count as one run; where they are runs of "
        "their own, profile each by itself.");
    merged.hosts.assign(hosts.begin(), hosts.end());
  }
  return merged;
}

}  // namespace tilewise
