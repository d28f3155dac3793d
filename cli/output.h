// Writes what commands found to a file or standard output, in colour or not, and
// shows on a terminal how far they have come.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/printable.h"
#include "base/status.h"
#include "cli/options/output_options.h"
#include "report/listing.h"
#include "report/report.h"
#include "tuner/tuner.h"

namespace tilewise {

// Writes all of `text` to `path`, or to standard output when it is empty.
// Errors: what cannot be opened or written, a full disk included. A pipe that
// its reader has closed (| head) ends the process by its signal, without a
// word, as it does other programs.
absl::Status WriteOutput(const std::string& text, const std::string& path);

// The colour and width that the options and the terminal call for.
RenderOptions RenderOptionsOf(const OutputOptions& options);

// Renders a document in the format of the options and writes it.
template <class Document>
absl::Status Render(const Document& document, const OutputOptions& options) {
  const FormatOf<Document>* format = FindFormat<Document>(options.format);
  TW_CHECK(format != nullptr);
  const RenderOptions how = RenderOptionsOf(options);
  std::string text = PrintableLines(format->render(document, how), how.color);
  // One format is made of commands.
  if (options.format != "github") text = WithoutCommands(std::move(text));
  return WriteOutput(text, options.path);
}
// Writes the further reports that were asked for, then this one.
absl::Status Render(const Report& report, const OutputOptions& options);
// A listing of these sections.
absl::Status Render(std::string_view command, std::vector<ListingSection> sections,
                    const OutputOptions& options);

// Printable, and not longer than a person reads.
std::string OneLine(const std::string& message);

// "tilewise: warning: MESSAGE" on standard error; `kind`: "warning" or "error".
void Say(std::string_view kind, const std::string& message);

// One line on a terminal's standard error that overwrites itself; in a pipe
// nothing.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Valid as long as this object; empty when there is no terminal.
  Progress callback();

 private:
  std::string what_;
  bool shown_ = false;
  bool terminal_ = false;
};

}  // namespace tilewise
