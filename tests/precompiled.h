// Headers that nearly every test reads, compiled once for all of them.

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/precompiled.h"
