// Splits HLO text into modules and reads each.

#include "frontend/hlo/read_text.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/link_module.h"
#include "frontend/hlo/text_computation.h"
#include "frontend/hlo/text_header.h"

namespace tilewise::hlo {
namespace {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : cursor_(text) {}

  absl::StatusOr<std::vector<Module>> Read() {
    TW_RETURN_IF_ERROR(ReadAll());
    TW_RETURN_IF_ERROR(Close());
    if (modules_.empty()) {
      cursor_.FailExpected("HloModule or a computation");
      return cursor_.status();
    }
    return std::move(modules_);
  }

 private:
  absl::Status ReadAll() {
    while (!cursor_.done()) {
      const bool parted = cursor_.TakeParted();
      if (cursor_.TakeWord("HloModule")) {
        TW_RETURN_IF_ERROR(Close());
        Open();
        ReadHeader(cursor_, *module_);
      } else {
        if (parted && module_ && !module_->computations.empty()) {
          TW_RETURN_IF_ERROR(Close());
        }
        if (!module_) Open();
        ReadPart();
      }
      if (!cursor_.ok()) return cursor_.status();
    }
    return cursor_.status();
  }

  bool ReadPart() {
    const FrameTable table = TakeFrameTitle(cursor_);
    if (table != FrameTable::kNone) {
      return ReadFrameTable(cursor_, table, *module_, frames_);
    }
    const char* start = cursor_.at();
    const bool is_entry = cursor_.TakeWord("ENTRY");
    cursor_.SkipSpace();
    const char* at = cursor_.at();
    const std::string_view name = cursor_.Name();
    const char next = cursor_.PeekSign();
    if (!is_entry && (name == "ROOT" || (!name.empty() && next == '='))) {
      cursor_.Return(start);
      return computations_->ReadBare();
    }
    if (name.empty() || (next != '(' && next != '{')) {
      if (!is_entry || next != '{') cursor_.Return(start);
      if (!is_entry || next != '{') {
        return cursor_.FailExpected("HloModule, ENTRY or a computation");
      }
    }
    return computations_->ReadNamed(name, at, is_entry);
  }

  void Open() {
    module_ = std::make_unique<Module>();
    module_->dialect = "hlo";
    frames_ = StackFrames();
    computations_.emplace(cursor_, shapes_, *module_, frames_);
  }

  // Ends the module that is open. One without computations is left out.
  absl::Status Close() {
    if (!module_) return absl::OkStatus();
    if (!computations_->Finish()) return cursor_.status();
    if (!module_->computations.empty()) {
      TW_RETURN_IF_ERROR(LinkModule(*module_));
      modules_.push_back(std::move(*module_));
    }
    computations_.reset();
    module_.reset();
    return absl::OkStatus();
  }

  TextCursor cursor_;
  ShapeReader shapes_;
  StackFrames frames_;
  std::unique_ptr<Module> module_;
  std::optional<ComputationReader> computations_;
  std::vector<Module> modules_;
};

}  // namespace

absl::StatusOr<std::vector<Module>> ReadHloText(std::string_view text) {
  return TextReader(text).Read();
}

}  // namespace tilewise::hlo
