// Values of a constant in HLO text.

#pragma once

#include "frontend/hlo/module.h"
#include "frontend/hlo/text_cursor.h"

namespace tilewise::hlo {

// What stands between the parentheses of constant(...), the cursor after the
// opening one, up to the closing one, which is taken too. Any nesting of
// braces;
// "..." stands for values left out; of complex numbers the real part is kept.
bool ReadLiteral(TextCursor& cursor, const HloShape& shape, Literal& literal);

}  // namespace tilewise::hlo
