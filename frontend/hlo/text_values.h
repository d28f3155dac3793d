// Values of attributes of HLO text that have a form of their own.

#pragma once

#include <string_view>

#include "frontend/hlo/module.h"
#include "frontend/hlo/stack_frames.h"
#include "frontend/hlo/text_cursor.h"

namespace tilewise::hlo {

// The string that stands here, without quotes and escapes; kept in
// `module.texts` when it is not a view into the input.
bool ReadString(TextCursor& cursor, Module& module, std::string_view& text);

// {size=3x3 stride=2x2 pad=0_1x0_1 lhs_dilate=.. rhs_dilate=.. rhs_reversal=..}
bool ReadWindow(TextCursor& cursor, InstructionExtras& extras);
// b01f_01io->b01f; "?" is a dim of no use.
bool ReadDimLabels(TextCursor& cursor, InstructionExtras& extras);
// {[0:8], [1:9:2]}
bool ReadSlice(TextCursor& cursor, InstructionExtras& extras);
// 0_1x2_3_1: low, high and interior of each dim.
bool ReadPadding(TextCursor& cursor, InstructionExtras& extras);
// {{0,1},{2,3}}, [2,4]<=[8] with T(..) or a mesh, of which only the text
// counts.
bool ReadReplicaGroups(TextCursor& cursor, InstructionExtras& extras);
// {{0,1},{1,2}}
bool ReadSourceTargetPairs(TextCursor& cursor, InstructionExtras& extras);
// {highest,default}: the highest of them.
bool ReadPrecision(TextCursor& cursor, InstructionExtras& extras);
bool ReadSharding(TextCursor& cursor, InstructionExtras& extras);
// {op_type="..." op_name="..." source_line=3 stack_frame_id=7 ..}
bool ReadMetadata(TextCursor& cursor, Module& module, const StackFrames& frames,
                  Metadata& metadata);
// {key="value", key={..}}
bool ReadFrontendAttributes(TextCursor& cursor, Module& module,
                            std::vector<std::pair<std::string_view, std::string_view>>& attributes);

// "{devices=[2,1]<=[2]}" by itself. What is not understood: kNone with the
// text.
Sharding ParseSharding(std::string_view text);

}  // namespace tilewise::hlo
