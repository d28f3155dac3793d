// The parts of a module of HLO text around its computations.

#pragma once

#include "frontend/hlo/module.h"
#include "frontend/hlo/stack_frames.h"
#include "frontend/hlo/text_cursor.h"

namespace tilewise::hlo {

// What follows the word HloModule: its name and ", name=value" parts.
bool ReadHeader(TextCursor& cursor, Module& module);

// Whether a table of source locations starts here; takes its title.
enum class FrameTable { kNone, kFiles, kFunctions, kLocations, kFrames };
FrameTable TakeFrameTitle(TextCursor& cursor);
// The rows of the table: a number and what it stands for, line by line.
bool ReadFrameTable(TextCursor& cursor, FrameTable table, Module& module, StackFrames& frames);

}  // namespace tilewise::hlo
