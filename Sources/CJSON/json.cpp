#include "CJSON.h"

#include <simdjson.h>

#include <cstring>
#include <new>

using namespace simdjson;

struct visitant_json_document {
  dom::parser parser;
};

static_assert(sizeof(dom::element) == sizeof(visitant_json_node), "a node is simdjson's element");
static_assert(std::is_trivially_copyable<dom::element>::value, "a node is copied as bytes");

static visitant_json_node node_of(const dom::element &element) {
  visitant_json_node node;
  std::memcpy(&node, static_cast<const void *>(&element), sizeof node);
  return node;
}

static dom::element element_of(visitant_json_node node) {
  dom::element element;
  std::memcpy(static_cast<void *>(&element), &node, sizeof node);
  return element;
}

visitant_json_status visitant_json_parse(
    const uint8_t *text, size_t length, visitant_json_document **document, visitant_json_node *root) {
  auto *made = new (std::nothrow) visitant_json_document;
  if (made == nullptr) return VISITANT_JSON_NO_MEMORY;
  dom::element element;
  error_code error = made->parser.parse(text, length, true).get(element);
  if (error != SUCCESS) {
    delete made;
    switch (error) {
      case UTF8_ERROR: return VISITANT_JSON_NOT_UTF8;
      case MEMALLOC: return VISITANT_JSON_NO_MEMORY;
      default: return VISITANT_JSON_MALFORMED;
    }
  }
  *document = made;
  *root = node_of(element);
  return VISITANT_JSON_OK;
}

void visitant_json_free(visitant_json_document *document) { delete document; }

visitant_json_kind visitant_json_kind_of(visitant_json_node node) {
  switch (element_of(node).type()) {
    case dom::element_type::ARRAY: return VISITANT_JSON_ARRAY;
    case dom::element_type::OBJECT: return VISITANT_JSON_OBJECT;
    case dom::element_type::INT64: return VISITANT_JSON_INTEGER;
    case dom::element_type::UINT64: return VISITANT_JSON_NUMBER;
    case dom::element_type::DOUBLE: return VISITANT_JSON_NUMBER;
    case dom::element_type::STRING: return VISITANT_JSON_STRING;
    case dom::element_type::BOOL: return VISITANT_JSON_BOOL;
    case dom::element_type::NULL_VALUE: return VISITANT_JSON_NULL;
  }
  return VISITANT_JSON_NULL;
}

bool visitant_json_bool(visitant_json_node node) {
  bool value = false;
  return element_of(node).get(value) == SUCCESS && value;
}

int64_t visitant_json_integer(visitant_json_node node) {
  int64_t value = 0;
  return element_of(node).get(value) == SUCCESS ? value : 0;
}

double visitant_json_number(visitant_json_node node) {
  double value = 0;
  return element_of(node).get(value) == SUCCESS ? value : 0;
}

const char *visitant_json_string(visitant_json_node node, size_t *length) {
  std::string_view view;
  if (element_of(node).get(view) != SUCCESS) {
    *length = 0;
    return "";
  }
  *length = view.size();
  return view.data();
}

bool visitant_json_member(
    visitant_json_node node, const char *key, size_t length, visitant_json_node *member) {
  dom::object object;
  if (element_of(node).get(object) != SUCCESS) return false;
  dom::element found;
  if (object.at_key(std::string_view(key, length)).get(found) != SUCCESS) return false;
  *member = node_of(found);
  return true;
}

void visitant_json_each(
    visitant_json_node node, void *context,
    void (*visit)(void *context, const char *key, size_t length, visitant_json_node value)) {
  dom::element element = element_of(node);
  dom::array array;
  if (element.get(array) == SUCCESS) {
    for (dom::element item : array) visit(context, nullptr, 0, node_of(item));
    return;
  }
  dom::object object;
  if (element.get(object) != SUCCESS) return;
  for (auto member : object) visit(context, member.key.data(), member.key.size(), node_of(member.value));
}
