#pragma once
// Counts the calls that give out memory, in a program that links this target: its `malloc` stands before the
// C library's.

#include <stdint.h>

/// How many blocks the process has been given so far, by all threads.
uint64_t visitant_allocations(void);
