/* The whole library as one unit of compilation. See motionfields.h.
 *
 * Functions follow their twins in the Python package operation by operation, so that the bits are the same. For the
 * same reason the compiler must not fuse a product and a sum into one rounding, nor compute in more than 64 bits.
 */
#include "motionfields.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "motionfields needs plain double arithmetic: compile for x86 with -msse2 -mfpmath=sse"
#endif
#if defined(__FAST_MATH__)
#error "motionfields must be compiled without -ffast-math: results would depend on the compiler"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
/* The vectorizer of some versions of gcc fuses operations although contraction is off. */
#pragma GCC optimize("fp-contract=off", "no-tree-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#include "mf_math.c"
#include "mf_vectors.c"
#include "mf_pack.c"
#include "mf_decide.c"
#include "mf_follow.c"
#include "mf_feet.c"
#include "mf_crowd.c"
