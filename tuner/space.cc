// The settings are the product of the knobs, each applied to what those before
// it made.

#include "tuner/space.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/content_hash.h"
#include "base/location.h"
#include "sim/lowering/partitioned_steps.h"
#include "tuner/knob.h"

namespace tilewise {
namespace {

// A search of more is a mistake: it would take hours.
constexpr size_t kMostSettings = 20000;

// Errors of all knobs begin alike.
absl::Status OfKnob(const Knob& knob, const absl::Status& status) {
  const std::string message = Message(status);
  return message.starts_with("--search") ? status
                                         : Annotate(status, fmt::format("--search {}", knob.name));
}

struct Made {
  SearchSetting setting;
  std::vector<int32_t> values;
  std::string machine;
};

// What the passes on the graph depend on, at one batch; see PartitionedSteps::Settings.
std::pair<const Workload*, std::string> PartitionKey(const SearchSetting& setting) {
  const SessionOptions& options = setting.options;
  const PartitionedSteps::Settings settings = {
      .training = options.training,
      .shard_update = options.shard_update,
      .spec = options.spec.value_or(TrainingSpec{}),
      .mesh = setting.target.mesh,
      .cores = setting.target.cores,
      .disabled_passes = options.disabled_passes,
  };
  return {setting.workload.get(), ContentHash().AddAll(settings).Hex()};
}

const KnobChoice* ChoiceOf(const SearchSpace& search, std::string_view knob) {
  const auto choice = std::ranges::find(search.knobs, knob, &KnobChoice::knob);
  return choice == search.knobs.end() ? nullptr : &*choice;
}

absl::Status CheckKnobs(const SearchSpace& search) {
  for (const KnobChoice& choice : search.knobs) {
    const auto same = [&](const KnobChoice& other) { return other.knob == choice.knob; };
    if (std::ranges::none_of(Knobs(), [&](const Knob& k) { return k.name == choice.knob; })) {
      return InvalidInput(
          fmt::format("--search: found '{}', expected one of the knobs", choice.knob));
    }
    if (std::ranges::count_if(search.knobs, same) > 1) {
      return InvalidInput(fmt::format("--search {}: found it twice, expected once", choice.knob));
    }
  }
  return absl::OkStatus();
}

std::optional<int64_t> StepsPerEpoch(const Session& session, int64_t global_batch) {
  if (session.steps_per_epoch()) return session.steps_per_epoch();
  if (!session.examples_per_epoch()) return std::nullopt;
  return std::max<int64_t>(1, *session.examples_per_epoch() / global_batch);
}

}  // namespace

std::string MachineName(const Target& target) {
  return fmt::format("{}-{}", target.chip.name,
                     target.slice_cores() * target.chip.tensor_cores_per_device);
}

int64_t ChipsOf(const Target& target) {
  return std::max<int64_t>(1, target.slice_cores() / target.chip.cores_per_chip);
}

absl::StatusOr<std::unique_ptr<const Space>> Space::Make(const Session& session,
                                                         const SearchSpace& search) {
  std::unique_ptr<Space> space(new Space(session, search));
  TW_RETURN_IF_ERROR(CheckKnobs(search));
  TW_RETURN_IF_ERROR(space->AddSettings());
  TW_RETURN_IF_ERROR(space->CheckPrices());
  const std::vector<std::string>& bounds = space->points_.front().bounds.constraints;
  space->constraints_.insert(space->constraints_.begin(), bounds.begin(), bounds.end());
  space->ConstrainExecutions();
  return std::unique_ptr<const Space>(std::move(space));
}

absl::Status Space::AddSettings() {
  std::vector<Made> made = {{SettingOf(own_), {}, ""}};
  for (const Knob& knob : Knobs()) {
    const KnobChoice* choice = ChoiceOf(search_, knob.name);
    std::vector<Made> next;
    bool changes = false;
    for (const Made& base : made) {
      std::vector<SearchSetting> settings = {base.setting};
      if (choice != nullptr) {
        absl::StatusOr<std::vector<SearchSetting>> found =
            knob.settings(base.setting, choice->values);
        if (!found.ok()) return OfKnob(knob, found.status());
        settings = *std::move(found);
      }
      for (size_t i = 0; i < settings.size(); ++i) {
        Made& one = next.emplace_back();
        one.setting = std::move(settings[i]);
        one.values = base.values;
        one.values.push_back(static_cast<int32_t>(i));
        one.machine = MachineName(one.setting.target);
        changes = changes || one.setting.changes.size() > base.setting.changes.size();
      }
    }
    if (choice != nullptr) {
      std::vector<SearchSetting> bases;
      for (Made& base : made) bases.push_back(std::move(base.setting));
      TW_RETURN_IF_ERROR(NoteLeftOut(knob, *choice, bases, changes));
    }
    made = std::move(next);
    if (made.empty()) {
      return InvalidInput(
          fmt::format("--search {}: there is no value to try; expected {}", knob.name, knob.needs));
    }
    if (made.size() > kMostSettings) {
      return InvalidInput(fmt::format("--search: found {} settings or more, expected at most {}",
                                      FormatCount(static_cast<int64_t>(made.size())),
                                      FormatCount(kMostSettings)));
    }
  }
  std::map<std::string, int32_t> machines;
  std::map<std::pair<const Workload*, std::string>, int32_t> partitions;
  points_ = std::vector<Point>(made.size());
  const auto partitioned = std::make_shared<PartitionedSteps>();
  for (size_t i = 0; i < made.size(); ++i) {
    Point& point = points_[i];
    point.setting = std::move(made[i].setting);
    point.setting.options.partitioned = partitioned;
    point.values = std::move(made[i].values);
    point.machine =
        machines.emplace(made[i].machine, static_cast<int32_t>(machines.size())).first->second;
    point.partition =
        partitions.emplace(PartitionKey(point.setting), static_cast<int32_t>(partitions.size()))
            .first->second;
    point.bounds = BoundBatch(
        search_.max_global_batch, own_.examples_per_epoch(), point.setting.target.batch_shards(),
        own_.adds_gradients() || own_.workload().step == StepKind::kTrainingStep);
  }
  machines_ = static_cast<int32_t>(machines.size());
  return absl::OkStatus();
}

absl::Status Space::NoteLeftOut(const Knob& knob, const KnobChoice& choice,
                                const std::vector<SearchSetting>& bases, bool changes) {
  std::vector<std::string> left_out;
  for (const std::string& value : choice.values) {
    bool taken = false;
    for (size_t i = 0; i < bases.size() && !taken; ++i) {
      TW_ASSIGN_OR_RETURN(const std::vector<SearchSetting> settings,
                          knob.settings(bases[i], std::span(&value, 1)));
      taken = !settings.empty();
    }
    if (!taken) left_out.push_back(value);
  }
  const std::string values = fmt::format("{}", fmt::join(left_out, ", "));
  if (!left_out.empty() && left_out.size() == choice.values.size()) {
    return InvalidInput(fmt::format(
        "--search {}: the program and the machine take none of the values ({}), so that there is "
        "no setting to try; expected {}",
        knob.name, values, knob.needs));
  }
  if (!left_out.empty()) {
    constraints_.push_back(
        fmt::format("--search {} leaves out {}: that needs {}", knob.name, values, knob.needs));
  }
  if (!changes) {
    constraints_.push_back(
        fmt::format("--search {} changes nothing: other values than the program's own need {}",
                    knob.name, knob.needs));
  }
  return absl::OkStatus();
}

absl::Status Space::CheckPrices() const {
  if (search_.objective.kind != Objective::Kind::kCost) return absl::OkStatus();
  for (const Point& point : points_) {
    const std::string& chip = point.setting.target.chip.name;
    if (search_.objective.price.contains(chip)) continue;
    return InvalidInput(fmt::format(
        "--objective cost: no price of {} is known, give --price {}=N, of a chip and hour", chip,
        chip));
  }
  return absl::OkStatus();
}

// A callback that acts on single batches sees only every N-th one, and the
// TF 1 loop has no such setting.
void Space::ConstrainExecutions() {
  const HostLoop& host_loop = own_.workload().host_loop;
  const std::optional<int64_t> most = StepsPerEpoch(own_, own_.global_batch());
  if (most && std::ranges::any_of(search_.steps_per_execution,
                                  [&](int64_t steps) { return steps > *most; })) {
    constraints_.push_back("no execution has more steps than an epoch: longer ones are cut to it");
  }
  if (host_loop.framework == Framework::kKerasTf1) {
    single_step_ = true;
    constraints_.push_back(
        "one step per execution: keras_to_tpu_model has no steps_per_execution (TF 2 has)");
  }
  for (const Callback& callback : host_loop.callbacks) {
    if (!callback.per_batch) continue;
    single_step_ = true;
    constraints_.push_back(
        fmt::format("steps_per_execution stays 1: {} at {} acts on batches and would run "
                    "N times less often",
                    callback.name, FormatLocation(callback.location)));
    return;
  }
}

const Session& Space::session(int32_t index) const {
  const Point& point = points_[index];
  if (point.setting.changes.empty()) return own_;
  std::call_once(point.made, [&point] {
    point.session = std::make_unique<const Session>(*point.setting.workload, point.setting.target,
                                                    point.setting.options);
  });
  return *point.session;
}

int32_t Space::own_setting() const {
  const auto own = std::ranges::find_if(
      points_, [](const Point& point) { return point.setting.changes.empty(); });
  return own == points_.end() ? 0 : static_cast<int32_t>(own - points_.begin());
}

bool Space::IsOwn(int32_t index, int64_t batch_per_core) const {
  return has_own_batch() && points_[index].setting.changes.empty() &&
         own_.batch_per_core() == batch_per_core;
}

std::vector<int64_t> Space::Ladder(int32_t index) const {
  const Point& point = points_[index];
  const int64_t parts = point.setting.options.spec->accumulation_steps;
  std::vector<int64_t> ladder = search_.batch_per_core;
  std::ranges::sort(ladder);
  if (!ladder.empty()) {
    KeepMultiples(ladder, parts);
    return ladder;
  }
  // The examples are those of the part of a batch that runs at a time.
  const int64_t examples = point.setting.target.batch_shards() * parts;
  ladder = BatchLadder(point.bounds, examples, std::nullopt);
  if (search_.objective.kind == Objective::Kind::kLatency) AddSmaller(ladder);
  for (int64_t& batch : ladder) batch *= parts;
  // The program's own global batch, too, so that settings compare at it.
  if (has_own_batch() && own_.global_batch() % examples == 0) {
    ladder.push_back(own_.global_batch() / point.setting.target.batch_shards());
    std::ranges::sort(ladder);
    ladder.erase(std::unique(ladder.begin(), ladder.end()), ladder.end());
  }
  return ladder;
}

std::vector<int64_t> Space::Executions(int32_t index, int64_t global_batch) const {
  // Each of several steps in one execution waits for the last.
  if (single_step_ || search_.objective.kind == Objective::Kind::kLatency) return {1};
  // What starts steps ahead of the device has no number of them to set, but what its program scans.
  const HostLoop& host_loop = own_.workload().host_loop;
  if (RunsAhead(host_loop.framework)) return {host_loop.steps_per_execution_or_default()};
  if (!search_.steps_per_execution.empty()) {
    std::vector<int64_t> ladder = search_.steps_per_execution;
    if (const auto most = StepsPerEpoch(session(index), global_batch)) {
      for (int64_t& steps : ladder) steps = std::min(steps, std::max<int64_t>(1, *most));
    }
    std::ranges::sort(ladder);
    ladder.erase(std::unique(ladder.begin(), ladder.end()), ladder.end());
    return ladder;
  }
  return ExecutionLadder(StepsPerEpoch(session(index), global_batch));
}

}  // namespace tilewise
