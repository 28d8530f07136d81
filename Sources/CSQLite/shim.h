#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift cannot import; these copy what they are given. Nothing at no address
// is an empty value here, where SQLite would bind NULL.
static inline int visitant_sqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, int length) {
  return sqlite3_bind_text(statement, index, length == 0 ? "" : (const char *)text, length, SQLITE_TRANSIENT);
}

static inline int visitant_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                     : sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}
