// SPDX-License-Identifier: MIT
// A C interface to toml++, which visits every key and value with its location in the text.
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_TABLE,
    CTOML_TABLE_END,
    CTOML_ARRAY,
    CTOML_ARRAY_END,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE,
} ctoml_kind;

/// Lines and columns are counted from 1; columns are in code points. The end is one past the last code point. All
/// values are 0 if toml++ does not report a location.
typedef struct {
    uint32_t line, column, end_line, end_column;
} ctoml_range;

/// An event of the parser. Strings are UTF-8, are not terminated, and belong to the parser.
typedef struct {
    ctoml_kind kind;
    /// NULL for the root and for elements of arrays.
    const char *key;
    size_t key_length;
    ctoml_range key_range;
    ctoml_range range;
    const char *string;
    size_t string_length;
    int64_t integer;
    double number;
} ctoml_event;

typedef void (*ctoml_visitor)(const ctoml_event *event, void *context);

/// Parses TOML 1.0 and visits the tree, with an event for the end of each table and array. The keys of a table
/// are sorted by name, not in the order of the text.
/// - Returns: 0, or -1 with a terminated message in `error` (of `error_size` bytes) and its location in `error_range`.
int ctoml_parse(const char *text, size_t length, ctoml_visitor visitor, void *context,
                ctoml_range *error_range, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif
