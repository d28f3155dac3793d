// What XProf's tools computed and wrote as protobufs: overview, input pipeline,
// statistics of ops, op profile.

#include <algorithm>

#include <fmt/format.h>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"
#include "profile/readers/wire_cursor.h"

namespace tilewise {
namespace {

// {1 average, 2 standard deviation, 3 least, 4 most}.
struct Summary {
  double average = 0, deviation = 0, least = 0, most = 0;
};
Summary ReadSummary(std::string_view bytes) {
  Summary summary;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) summary.average = at.real();
    if (at.field() == 2) summary.deviation = at.real();
    if (at.field() == 3) summary.least = at.real();
    if (at.field() == 4) summary.most = at.real();
  }
  return summary;
}

// PerGenericStepDetails in an Any. Milliseconds.
struct StepDetails {
  double step = 0, input = 0, compute = 0;
};
StepDetails ReadStepDetails(std::string_view any) {
  StepDetails details;
  std::string_view type, value;
  for (WireCursor at(any); at.Next();) {
    if (at.field() == 1) type = at.bytes();
    if (at.field() == 2) value = at.bytes();
  }
  if (!type.ends_with("PerGenericStepDetails")) return details;
  for (WireCursor at(value); at.Next();) {
    if (at.field() == 2) details.step = at.real();
    if (at.field() == 6) details.compute = at.real();
    if (at.field() == 11) details.input = at.real();
  }
  return details;
}

void ReadInputBreakdown(std::string_view bytes, StatedFigures& stated) {
  static constexpr std::string_view kParts[] = {"reading on demand", "reading ahead",
                                                "preprocessing", "enqueuing", "other"};
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() < 1 || at.field() > 5) continue;
    stated.input_parts.emplace_back(kParts[at.field() - 1], Seconds{at.real() * 1e-6});
  }
}

void ReadInputOp(std::string_view bytes, StatedFigures& stated) {
  StatedOp op{.on_host = true};
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) op.name = at.text();
    if (at.field() == 2) op.count = at.integer();
    if (at.field() == 5) op.self = SecondsOfMs(at.real());
    if (at.field() == 7) op.kind = at.text();
  }
  stated.ops.push_back(std::move(op));
}

void ReadInputAnalysis(std::string_view bytes, StatedFigures& stated) {
  StepDetails total;
  StepTimes steps;
  for (WireCursor at(bytes); at.Next();) {
    switch (at.field()) {
      case 2: {
        const Summary summary = ReadSummary(at.bytes());
        steps.mean = SecondsOfMs(summary.average);
        steps.deviation = SecondsOfMs(summary.deviation);
        steps.least = SecondsOfMs(summary.least);
        steps.most = SecondsOfMs(summary.most);
        break;
      }
      case 4: {
        const StepDetails details = ReadStepDetails(at.bytes());
        if (details.step <= 0) break;
        steps.each.push_back(SecondsOfMs(details.step));
        total.step += details.step;
        total.input += details.input;
        total.compute += details.compute;
        break;
      }
      case 5:
        ReadInputBreakdown(at.bytes(), stated);
        break;
      case 6:
        ReadInputOp(at.bytes(), stated);
        break;
      case 9:
        stated.hardware = at.text();
        break;
      case 11:
        stated.input_share = at.real() / 100;
        break;
      case 13:
        stated.output_share = at.real() / 100;
        break;
      case 14:
        stated.idle_share = at.real() / 100;
        break;
      case 15:
        stated.compute_share = at.real() / 100;
        break;
      default:
        break;
    }
  }
  steps.count = static_cast<int64_t>(steps.each.size());
  if (total.step > 0) {
    // The share is that of all steps, not the mean of their shares.
    if (!stated.input_share) stated.input_share = total.input / total.step;
    if (!stated.compute_share) stated.compute_share = total.compute / total.step;
  }
  if (steps.mean > Seconds{}) stated.step = std::move(steps);
}

void ReadTopOp(std::string_view bytes, StatedFigures& stated) {
  StatedOp op;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) op.name = at.text();
    if (at.field() == 2) op.kind = at.text();
    if (at.field() == 3) op.share = at.real();
    if (at.field() == 5) op.flop_rate = at.real() * 1e9;
  }
  stated.ops.push_back(std::move(op));
}

// 0 stands for what was not computed, as for a GPU's matrix units.
void SetShare(double percent, std::optional<double>& share) {
  if (percent > 0) share = percent / 100;
}

void ReadAnalysis(std::string_view bytes, StatedFigures& stated) {
  for (WireCursor at(bytes); at.Next();) {
    switch (at.field()) {
      case 1:
        SetShare(at.real(), stated.mxu_use);
        break;
      case 2:
        SetShare(at.real(), stated.device_idle);
        break;
      case 3:
        SetShare(at.real(), stated.host_idle);
        break;
      case 4:
        ReadTopOp(at.bytes(), stated);
        break;
      case 7:
        SetShare(at.real(), stated.roofline_share);
        break;
      case 8:
        SetShare(at.real(), stated.hbm_share);
        break;
      default:
        break;
    }
  }
}

void ReadEnvironment(std::string_view bytes, StatedFigures& stated) {
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) stated.hosts = at.integer();
    if (at.field() == 4) stated.hardware = at.text();
    if (at.field() == 5) stated.cores = at.integer();
  }
}

void ReadStatsRow(std::string_view bytes, StatedFigures& stated) {
  StatedOp op;
  for (WireCursor at(bytes); at.Next();) {
    switch (at.field()) {
      case 2:
        op.on_host = at.bytes() != "Device";
        break;
      case 3:
        op.kind = at.text();
        break;
      case 4:
        op.name = at.text();
        break;
      case 5:
        op.count = at.integer();
        break;
      case 8:
        op.self = {at.real() * 1e-6};
        break;
      case 10:
        op.share = at.real();
        break;
      case 14:
        op.flop_rate = at.real() * 1e9;
        break;
      case 15:
        op.byte_rate = at.real() * 1e9;
        break;
      case 17:
        op.bound = at.text();
        break;
      default:
        break;
    }
  }
  stated.ops.push_back(std::move(op));
}

// A node of an op profile: leaves are ops.
void ReadProfileNode(std::string_view bytes, int depth, StatedFigures& stated) {
  if (depth > kDeepestNode) return;
  StatedOp op;
  bool is_op = false;
  for (WireCursor at(bytes); at.Next();) {
    switch (at.field()) {
      case 1:
        op.name = at.text();
        break;
      case 2:
        for (WireCursor metrics(at.bytes()); metrics.Next();) {
          if (metrics.field() == 11) op.self = {static_cast<double>(metrics.number()) * 1e-12};
          if (metrics.field() == 11 && metrics.real() > 0) op.self = {metrics.real() * 1e-12};
          if (metrics.field() == 16) op.count = metrics.integer();
        }
        break;
      case 3:
        ReadProfileNode(at.bytes(), depth + 1, stated);
        break;
      case 5:
        is_op = true;
        for (WireCursor xla(at.bytes()); xla.Next();) {
          if (xla.field() == 4) op.kind = xla.text();
        }
        break;
      default:
        break;
    }
  }
  if (is_op) stated.ops.push_back(std::move(op));
}

void SortOps(StatedFigures& stated) {
  double total = 0;
  for (const StatedOp& op : stated.ops) total += op.kind == "IDLE" ? 0 : op.self.value;
  for (StatedOp& op : stated.ops) {
    if (op.share == 0 && total > 0) op.share = op.self.value / total;
  }
  std::stable_sort(stated.ops.begin(), stated.ops.end(), [](const StatedOp& a, const StatedOp& b) {
    return a.self != b.self ? a.self > b.self : a.share > b.share;
  });
}

template <class ReadField>
absl::StatusOr<Profile> ReadTool(ByteSource& source, const char* format, ReadField read_field) {
  Profile profile;
  profile.format = format;
  WireCursor at(source.All(kMostToolBytes));
  while (at.Next()) read_field(at, profile.stated);
  if (!source.problem().empty()) profile.notes.push_back(source.problem());
  if (at.damaged()) {
    profile.notes.emplace_back("The file is cut or damaged: what stands before is read.");
  }
  return profile;
}

}  // namespace

absl::StatusOr<Profile> ReadOverviewPage(ByteSource& source) {
  return ReadTool(source, "XProf overview page", [](const WireCursor& at, StatedFigures& stated) {
    if (at.field() == 2) {
      ReadInputAnalysis(at.bytes(), stated);
      stated.ops.clear();  // those of the device stand in the analysis
    }
    if (at.field() == 3) ReadAnalysis(at.bytes(), stated);
    if (at.field() == 6) ReadEnvironment(at.bytes(), stated);
    if (at.field() != 4) return;
    for (WireCursor advice(at.bytes()); advice.Next();) {
      if (advice.field() == 2) stated.verdict = advice.text();
    }
  });
}

absl::StatusOr<Profile> ReadInputPipeline(ByteSource& source) {
  Profile profile;
  profile.format = "XProf input pipeline";
  const std::string_view bytes = source.All(kMostToolBytes);
  ReadInputAnalysis(bytes, profile.stated);
  if (!profile.stated.step) {
    return InvalidInput("found no step times, expected an input pipeline analysis");
  }
  SortOps(profile.stated);
  if (!source.problem().empty()) profile.notes.push_back(source.problem());
  return profile;
}

absl::StatusOr<Profile> ReadTfStats(ByteSource& source) {
  absl::StatusOr<Profile> profile =
      ReadTool(source, "TensorFlow statistics", [](const WireCursor& at, StatedFigures& stated) {
        if (at.field() == 6) stated.hardware = at.text();
        if (at.field() != 4) return;
        for (WireCursor rows(at.bytes()); rows.Next();) {
          if (rows.field() == 1) ReadStatsRow(rows.bytes(), stated);
        }
      });
  if (profile.ok()) SortOps(profile->stated);
  return profile;
}

absl::StatusOr<Profile> ReadOpProfile(ByteSource& source) {
  absl::StatusOr<Profile> profile =
      ReadTool(source, "XProf op profile", [](const WireCursor& at, StatedFigures& stated) {
        if (at.field() == 1) ReadProfileNode(at.bytes(), 0, stated);
        if (at.field() == 5) stated.hardware = at.text();
      });
  if (profile.ok()) SortOps(profile->stated);
  return profile;
}

}  // namespace tilewise
