// Debian's Lua jumps by glibc's checked `__longjmp_chk`, which the thread sanitizer does not know: its shadow
// stack would keep every frame that was jumped over, and each allocation after it would cost the whole of
// that stack.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <setjmp.h>

void __longjmp_chk(jmp_buf buffer, int value);

void __longjmp_chk(jmp_buf buffer, int value) { longjmp(buffer, value); }

#endif
#endif
