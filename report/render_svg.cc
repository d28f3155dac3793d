// The curve of a search as a drawing: examples per second by batch, with the
// range in which nine of ten measured steps would lie.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/curve.h"
#include "report/renderers.h"
#include "report/xml.h"

namespace tilewise {
namespace {

constexpr double kDrawingWidth = 720, kDrawingHeight = 400;
constexpr double kLeftEdge = 80, kRightEdge = 20, kTopEdge = 50, kBottomEdge = 60;

class Drawing {
 public:
  Drawing(const Report& report, std::vector<const Trial*> trials)
      : report_(report), trials_(std::move(trials)) {
    for (const Trial* trial : trials_) most_ = std::max(most_, High(*trial));
  }

  std::string Text() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        kDrawingWidth, kDrawingHeight);
    Label(kLeftEdge, 20, "start", fmt::format("{} on {}", report_.workload, report_.target));
    Label(kLeftEdge, 36, "start", "examples per second by batch per " + report_.batch_share);
    Axes();
    Band();
    Line();
    Points();
    return text_ + "</svg>\n";
  }

 private:
  // These are the throughputs of a step that takes as long as the slowest, or the fastest, that is
  // likely.
  double Low(const Trial& trial) const {
    return Throughput(trial) / (report_.time_range ? report_.time_range->high : 1);
  }
  double High(const Trial& trial) const {
    return Throughput(trial) / (report_.time_range ? report_.time_range->low : 1);
  }

  double X(const Trial& trial) const {
    const double first = std::log2(static_cast<double>(trials_.front()->batch_per_core));
    const double last = std::log2(static_cast<double>(trials_.back()->batch_per_core));
    const double at = std::log2(static_cast<double>(trial.batch_per_core));
    const double share = last > first ? (at - first) / (last - first) : 0.5;
    return kLeftEdge + share * (kDrawingWidth - kLeftEdge - kRightEdge);
  }
  double Y(double rate) const {
    return kDrawingHeight - kBottomEdge - rate / most_ * (kDrawingHeight - kTopEdge - kBottomEdge);
  }

  void Label(double x, double y, std::string_view anchor, const std::string& label) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                         anchor, EscapeXml(label));
  }

  void Axes() {
    constexpr int kGridLines = 4;
    for (int i = 0; i <= kGridLines; ++i) {
      const double rate = most_ * i / kGridLines;
      text_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n",
          kLeftEdge, Y(rate), kDrawingWidth - kRightEdge, Y(rate));
      Label(kLeftEdge - 8, Y(rate) + 4, "end", FormatShortCount(rate));
    }
    double last = -kDrawingWidth;
    for (const Trial* trial : trials_) {
      constexpr double kApart = 40;
      if (X(*trial) - last < kApart) continue;
      last = X(*trial);
      Label(last, kDrawingHeight - kBottomEdge + 18, "middle", FormatCount(trial->batch_per_core));
    }
    Label((kDrawingWidth + kLeftEdge) / 2, kDrawingHeight - 14, "middle",
          fmt::format("batch per {}", report_.batch_share));
  }

  void Band() {
    std::string points;
    for (const Trial* trial : trials_) {
      points += fmt::format("{:.1f},{:.1f} ", X(*trial), Y(High(*trial)));
    }
    for (auto trial = trials_.rbegin(); trial != trials_.rend(); ++trial) {
      points += fmt::format("{:.1f},{:.1f} ", X(**trial), Y(Low(**trial)));
    }
    text_ += fmt::format("<polygon points=\"{}\" fill=\"#cfe0f5\"/>\n", points);
  }

  void Line() {
    std::string points;
    for (const Trial* trial : trials_) {
      points += fmt::format("{:.1f},{:.1f} ", X(*trial), Y(Throughput(*trial)));
    }
    text_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\"/>\n", points);
  }

  // Hollow where the batch may not fit.
  void Points() {
    const std::optional<Trial>& best = report_.tuning->best;
    for (const Trial* trial : trials_) {
      text_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"#1f5fa8\"/>\n",
          X(*trial), Y(Throughput(*trial)), trial->sure ? "#1f5fa8" : "white");
      if (best && best->batch_per_core == trial->batch_per_core) {
        Label(X(*trial), Y(High(*trial)) - 8, "middle", "best");
      }
    }
  }

  const Report& report_;
  const std::vector<const Trial*> trials_;
  double most_ = 0;
  std::string text_;
};

}  // namespace

std::string RenderSvg(const Report& report, const RenderOptions&) {
  std::vector<const Trial*> trials;
  if (report.tuning) {
    for (const Trial& trial : report.tuning->curve) {
      if (IsSimulated(trial)) trials.push_back(&trial);
    }
  }
  if (trials.empty()) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"><text y=\"20\">no batch fits</text></svg>\n";
  }
  return Drawing(report, std::move(trials)).Text();
}

}  // namespace tilewise
