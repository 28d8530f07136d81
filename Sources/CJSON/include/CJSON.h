#pragma once
// A C door to simdjson's DOM parser: one document owns its text and tape; a node is a place in it.
// A node is valid as long as its document. Nothing here throws; nothing is kept of the caller's memory.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct visitant_json_document visitant_json_document;

/// A place in a document.
typedef struct {
  const void *tape;
  size_t index;
} visitant_json_node;

typedef enum __attribute__((enum_extensibility(closed))) {
  VISITANT_JSON_NULL,
  VISITANT_JSON_BOOL,
  VISITANT_JSON_INTEGER,
  VISITANT_JSON_NUMBER,
  VISITANT_JSON_STRING,
  VISITANT_JSON_ARRAY,
  VISITANT_JSON_OBJECT,
} visitant_json_kind;

typedef enum __attribute__((enum_extensibility(closed))) {
  VISITANT_JSON_OK,
  VISITANT_JSON_NOT_UTF8,
  VISITANT_JSON_MALFORMED,
  VISITANT_JSON_NO_MEMORY,
} visitant_json_status;

/// Parses `length` bytes. On success `*document` is the caller's to free and `*root` its outermost value.
visitant_json_status visitant_json_parse(
    const uint8_t *text, size_t length, visitant_json_document **document, visitant_json_node *root);
void visitant_json_free(visitant_json_document *document);

visitant_json_kind visitant_json_kind_of(visitant_json_node node);
bool visitant_json_bool(visitant_json_node node);
int64_t visitant_json_integer(visitant_json_node node);
double visitant_json_number(visitant_json_node node);
/// The bytes of a string (UTF-8, may hold NUL); they belong to the document.
const char *visitant_json_string(visitant_json_node node, size_t *length);
/// The member of an object; false when there is none or `node` is no object.
bool visitant_json_member(
    visitant_json_node node, const char *key, size_t length, visitant_json_node *member);

/// Calls `visit` for each element of an array or member of an object, in order; `key` is null in an array.
void visitant_json_each(
    visitant_json_node node, void *context,
    void (*visit)(void *context, const char *key, size_t length, visitant_json_node value));

#ifdef __cplusplus
}
#endif
