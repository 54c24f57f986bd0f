/* The C runtime for a web page: one pack and one crowd in the memory of a WebAssembly module.
 *
 * Memory is taken page by page and never returned. Pointers are byte offsets into the exported memory. motionfields.js
 * calls these functions.
 */
#include "motionfields.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define PAGE 65536u

static mf_pack pack;
static mf_crowd crowd;
static mf_character seen;

/* `size` bytes, aligned to 65,536; 0 if there are no more. */
void *EXPORT(mfw_memory)(size_t size) {
    size_t before = __builtin_wasm_memory_grow(0, (size + PAGE - 1) / PAGE);
    return before == (size_t)-1 ? NULL : (void *)(before * PAGE);
}
int EXPORT(mfw_open)(const void *bytes, size_t size) { return (int)mf_pack_open(&pack, bytes, size, 0); }
int EXPORT(mfw_init)(uint32_t count) {
    size_t size = mf_crowd_size(&pack, count);
    void *memory = mfw_memory(size);
    return memory ? (int)mf_crowd_init(&crowd, &pack, memory, size, count) : (int)MF_TOO_SMALL;
}
/* Step the first `count` characters; `commands` [crowd, mfw_columns]. */
int EXPORT(mfw_step)(const double *commands, uint32_t count) {
    mf_status status = mf_crowd_step(&crowd, commands, 0, count);
    mf_crowd_end_frame(&crowd);
    return (int)status;
}
int EXPORT(mfw_place)(uint32_t i, double x, double z, double facing) {
    return (int)mf_crowd_place(&crowd, i, x, z, facing);
}
int EXPORT(mfw_start)(uint32_t i, uint32_t state) { return (int)mf_crowd_start(&crowd, i, state); }
int EXPORT(mfw_detail)(uint32_t i, uint32_t every, int plant) { return (int)mf_crowd_detail(&crowd, i, every, plant); }
/* Text is ASCII or UTF-8, followed by a zero byte. */
const char *EXPORT(mfw_status_text)(int status) { return mf_status_text((mf_status)status); }
const char *EXPORT(mfw_command_name)(uint32_t column) { return mf_command_name(&pack, column); }
const char *EXPORT(mfw_joint_name)(uint32_t joint) { return mf_joint_name(&pack, joint); }
int32_t EXPORT(mfw_joint_parent)(uint32_t joint) { return mf_joint_parent(&pack, joint); }
const double *EXPORT(mfw_joint_offset)(uint32_t joint) { return mf_joint_offset(&pack, joint); }
double EXPORT(mfw_frame_time)(void) { return mf_frame_time(&pack); }
uint32_t EXPORT(mfw_columns)(void) { return mf_command_count(&pack); }
uint32_t EXPORT(mfw_joints)(void) { return mf_joint_count(&pack); }
const double *EXPORT(mfw_root)(uint32_t i) { return mf_crowd_root(&crowd, i); }
const double *EXPORT(mfw_rotations)(uint32_t i) { return mf_crowd_rotations(&crowd, i); }
/* x, z and facing as three doubles; then state, variant and locked as three 32-bit integers. */
const mf_character *EXPORT(mfw_look)(uint32_t i) { return mf_crowd_look(&crowd, i, &seen) == MF_OK ? &seen : NULL; }
/* Save and load a character in mfw_character_size bytes. */
size_t EXPORT(mfw_character_size)(void) { return mf_character_size(&pack); }
int EXPORT(mfw_save)(uint32_t i, void *out) { return (int)mf_character_save(&crowd, i, out, mf_character_size(&pack)); }
int EXPORT(mfw_load)(uint32_t i, const void *bytes) {
    return (int)mf_character_load(&crowd, i, bytes, mf_character_size(&pack));
}
