#include "CLuaBridge.h"

#include <stdlib.h>

struct visitant_lua {
  double now;
};

static const visitant_lua_failure nothing = {.code = VISITANT_LUA_CODE_RUNTIME};

visitant_lua *visitant_lua_open(visitant_lua_limits limits, uint64_t seed, visitant_lua_failure *failure) {
  return calloc(1, sizeof(visitant_lua));
}
void visitant_lua_close(visitant_lua *lua) { free(lua); }
visitant_lua_failure visitant_lua_load_prelude(
    visitant_lua *lua, visitant_lua_text source, visitant_lua_text name, visitant_lua_text arguments) {
  return nothing;
}
visitant_lua_failure visitant_lua_load(
    visitant_lua *lua, visitant_lua_text source, visitant_lua_text name, int32_t *reference) {
  return nothing;
}
static const visitant_lua_turn no_turn = {.kind = VISITANT_LUA_TURN_FAILED};
visitant_lua_turn visitant_lua_start(visitant_lua *lua, int32_t reference, visitant_lua_text arguments) {
  return no_turn;
}
visitant_lua_turn visitant_lua_start_prelude(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text arguments) {
  return no_turn;
}
visitant_lua_turn visitant_lua_resume(visitant_lua *lua, int32_t coroutine, visitant_lua_text values) {
  return no_turn;
}
void visitant_lua_drop(visitant_lua *lua, int32_t coroutine) {}
void visitant_lua_release(visitant_lua *lua, int32_t reference) {}
visitant_lua_text visitant_lua_take_notes(visitant_lua *lua) {
  visitant_lua_text none = {NULL, 0};
  return none;
}
double visitant_lua_now(const visitant_lua *lua) { return lua->now; }
void visitant_lua_set_now(visitant_lua *lua, double now) { lua->now = now; }
visitant_lua_failure visitant_lua_serialize(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text label, visitant_lua_text *json) {
  return nothing;
}
visitant_lua_failure visitant_lua_assign(
    visitant_lua *lua, visitant_lua_text name, visitant_lua_text json, bool merge) {
  return nothing;
}
void visitant_lua_collect(visitant_lua *lua) {}
int64_t visitant_lua_memory(const visitant_lua *lua) { return 0; }
visitant_lua_pattern_outcome visitant_lua_pattern_find(
    visitant_lua_text pattern, visitant_lua_text subject, size_t from, int64_t steps, size_t *start,
    size_t *end, const char **error) {
  return VISITANT_LUA_PATTERN_ABSENT;
}
