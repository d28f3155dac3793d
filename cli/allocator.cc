// How jemalloc, which the programs allocate with, gets its memory.

// In huge pages, and none is given back before the end: programs are short, and
// what large files cost beyond their parsing is the first touch of pages
// (docs/performance.md). The library looks for a symbol of this name.
extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the library's
extern const char* const malloc_conf;
const char* const malloc_conf =
    "thp:always,metadata_thp:auto,dirty_decay_ms:-1,muzzy_decay_ms:-1";
}
