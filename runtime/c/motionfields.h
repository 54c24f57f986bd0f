/* motionfields.h - run a trained motion-field character in C99.
 *
 * Add motionfields.c to your build; it includes the other .c files of this folder. The library allocates nothing, does
 * no input or output, keeps no global state, and needs only sqrt, floor, fabs, fmod and copysign from <math.h>.
 *
 *   mf_pack pack;                                        views into bytes that you keep: a file, a mapping, an array
 *   mf_status status = mf_pack_open(&pack, bytes, size, 0);
 *   size_t needed = mf_crowd_size(&pack, count);
 *   void *memory = malloc(needed);                       any memory aligned to 8 bytes
 *   mf_crowd crowd;
 *   status = mf_crowd_init(&crowd, &pack, memory, needed, count);
 *   for (;;) {
 *       status = mf_crowd_step(&crowd, commands, 0, count);
 *       mf_crowd_end_frame(&crowd);
 *       ... mf_crowd_root(&crowd, i), mf_crowd_rotations(&crowd, i) ...
 *   }
 *
 * Units are metres, seconds and radians. Axes are right-handed, y up; yaw 0 faces +z and positive yaw turns left,
 * towards +x. Quaternions are w, x, y, z and rotate from a joint's frame to its parent's.
 *
 * Threads: a pack is never written to, so any number of crowds and threads may share it. Different ranges of one crowd
 * may be stepped by different threads at the same time. A character's bits do not depend on the others.
 */
#ifndef MOTIONFIELDS_H
#define MOTIONFIELDS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MF_API
#define MF_API
#endif

#define MF_VERSION 1u      /* newest version of the pack format that this code reads */
#define MF_MOST_JOINTS 256 /* in a skeleton */
#define MF_MOST_AXES 4     /* task parameters */
#define MF_MEMORY 20       /* frames that a character remembers */
#define MF_LARGEST_COMMAND 1e12
#define MF_FURTHEST 1e9 /* metres from the origin, or radians, at which a character can be placed */

typedef enum {
    MF_OK = 0,
    MF_NOT_A_PACK, /* the bytes do not begin like a pack */
    MF_NEWER,      /* the pack has a newer version than MF_VERSION */
    MF_CUT_SHORT,  /* the size differs from the one in the header */
    MF_DAMAGED,    /* the checksum differs, or bytes of a saved character were changed */
    MF_UNALIGNED,  /* bytes or memory are not aligned to 8 */
    MF_INVALID,    /* a section is missing, has another size, or holds numbers that a controller never has */
    MF_UNSUPPORTED,/* this machine stores numbers in another way */
    MF_TOO_SMALL,  /* less memory than mf_crowd_size */
    MF_OUT_OF_RANGE, /* no such character or state, or a number that is not finite or too large */
    MF_OTHER_PACK  /* the saved character belongs to another pack */
} mf_status;

typedef enum { MF_DIRECTION = 0, MF_LINE, MF_VELOCITY, MF_LANE, MF_NAVIGATION } mf_task;

enum { MF_TRUST = 1 }; /* flag of mf_pack_open: skip the checksum and the look at every table entry */

/* Settings of foot locking, in metres, seconds, radians and contact votes. */
typedef struct {
    double frame_time, lock_vote, release_vote, lock_lead, release_lead, stop_time, settle_time, fade_time, root_time,
        root_haste, lean_time, furthest, furthest_turn, wait_time, heel_hold, floor_softness, swing_clearance,
        clearance_from, clearance_to, clearance_time, ankle_lift, easy_reach, full_reach, reach_softness, deepest,
        sink_time, rise_time;
} mf_planting;

/* The section "info", as it is in the file. Pairs are left, right. */
typedef struct {
    uint32_t state_count, joint_count, variant_count, transition_count;
    uint32_t axis_count, node_count, most_nodes, start_count; /* most_nodes: of one axis; node_count: of the grid */
    uint32_t task, memory, path_length, gait_count;
    uint32_t leg[2][4], has_toes[2]; /* hip, knee, ankle, toe */
    uint32_t reserved[2];
    double task_numbers[6], top_speed, discount, goal_change, frame_time;
    double stiffness, decay, root_stiffness, root_decay; /* springs of the displayed pose, per second; per frame */
    double toe_heights[2], heel_pitches[2], foot_lengths[2], tip_lengths[2], hinges[2][3];
    mf_planting planting;
} mf_info;

/* Views into the bytes of a pack. Arrays that a compact pack replaces are NULL there, and the other way round. */
typedef struct {
    const mf_info *info;
    /* motion, by state */
    const float *root_height, *root_tilt, *root_step, *root_turn; /* [state], [state, 4], [state, 3], [state, 3] */
    const float *joint_rotations, *joint_turns;                   /* [state, joint - 1, 4] and [state, joint - 1, 3] */
    const int16_t *joint_rotations16;                             /* compact: x, y, z in 32767ths, w >= 0 */
    const double *yaw_turn, *facing, *votes;                      /* [state, variant], [state], [state, 2] */
    const int32_t *frames_left, *labels;                          /* [state]; labels may be NULL */
    /* decisions */
    const double *outlines;    /* [state, 8], see mf_decide.c */
    const int32_t *targets;    /* [state, transition] */
    const uint16_t *targets16; /* compact */
    const float *costs;        /* [state, transition, variant before, variant chosen] */
    const uint8_t *costs8;     /* compact: places in cost_book */
    const float *cost_book;    /* [256] */
    const float *values;       /* [variant, state, node] */
    const int8_t *values8;     /* compact: value_base + value_step * values8 + value_mean */
    const float *value_base, *value_step, *value_mean; /* [variant, state], [variant, state], [node] */
    /* grid of task parameters */
    const double *grid_nodes;                                 /* [axis, most_nodes] */
    const int32_t *grid_counts, *grid_guesses, *grid_steps;   /* [axis], [axis, 64], [axis] */
    /* skeleton */
    const double *offsets;             /* [joint, 3] */
    const int32_t *parents, *paths;    /* [joint]; [2, path_length], joints from root to toe, then -1 */
    const char *names;                 /* joint names, each followed by a zero byte */
    const int32_t *starts;             /* [start], states to start at */
    uint32_t checksum;
} mf_pack;

typedef struct {
    const mf_pack *pack;
    unsigned char *memory;
    size_t stride; /* bytes of one character */
    uint32_t count;
    uint64_t frame; /* number of the next frame */
} mf_crowd;

/* Open the `size` bytes of a pack, aligned to 8, which must stay in place and unchanged. Everything that a frame reads
 * is checked here, so that no pack, however damaged, makes a later call read outside of it. `flags` is 0 or MF_TRUST,
 * for packs that were opened without it before: large packs then open without being read. */
MF_API mf_status mf_pack_open(mf_pack *pack, const void *bytes, size_t size, unsigned flags);
MF_API const char *mf_status_text(mf_status status);

/* The numbers of a command, for example "heading" and "speed". A name is NULL if there is no such column. */
MF_API uint32_t mf_command_count(const mf_pack *pack);
MF_API const char *mf_command_name(const mf_pack *pack, uint32_t column);

/* Frame time in seconds, and the skeleton: parents come before their joints, the root has parent -1, and offsets [3] lead
 * from the parent to the joint, in the parent's frame. For a joint that does not exist: NULL, and parent -1. */
MF_API double mf_frame_time(const mf_pack *pack);
MF_API uint32_t mf_joint_count(const mf_pack *pack);
MF_API const char *mf_joint_name(const mf_pack *pack, uint32_t joint);
MF_API int32_t mf_joint_parent(const mf_pack *pack, uint32_t joint);
MF_API const double *mf_joint_offset(const mf_pack *pack, uint32_t joint);

/* Bytes of the structs mf_pack and mf_crowd, for other languages, which need not know their members. */
MF_API size_t mf_sizeof_pack(void);
MF_API size_t mf_sizeof_crowd(void);

/* Bytes of memory that a crowd of `count` needs; 0 if that is more than a size_t holds. */
MF_API size_t mf_crowd_size(const mf_pack *pack, uint32_t count);
/* Characters begin at the origin, character i at start state number i modulo start_count. */
MF_API mf_status mf_crowd_init(mf_crowd *crowd, const mf_pack *pack, void *memory, size_t size, uint32_t count);
/* Let a character begin again at a database state, at the origin with yaw 0. */
MF_API mf_status mf_crowd_start(mf_crowd *crowd, uint32_t i, uint32_t state);
/* Put a character elsewhere, facing a yaw. Its pose stays, its feet are locked anew. */
MF_API mf_status mf_crowd_place(mf_crowd *crowd, uint32_t i, double x, double z, double facing);
/* Level of detail: frames from one decision to the next (at least 1), and whether feet are locked. */
MF_API mf_status mf_crowd_detail(mf_crowd *crowd, uint32_t i, uint32_t every, int plant);

/* Advance the characters first .. first + count - 1 by one frame. `commands` [crowd->count, mf_command_count] are those
 * of all characters. If one of the range is not finite or too large, nothing changes and MF_OUT_OF_RANGE comes back.
 * Call mf_crowd_end_frame once, after all ranges. */
MF_API mf_status mf_crowd_step(mf_crowd *crowd, const double *commands, uint32_t first, uint32_t count);
MF_API void mf_crowd_end_frame(mf_crowd *crowd);

/* The displayed pose: root position [3], rotations [joint, 4]; rotation 0 is that of the root in the world. NULL if
 * there is no such character. */
MF_API const double *mf_crowd_root(const mf_crowd *crowd, uint32_t i);
MF_API const double *mf_crowd_rotations(const mf_crowd *crowd, uint32_t i);
/* The same in single precision, with quaternions as x, y, z, w, which most engines expect. */
MF_API mf_status mf_crowd_pose(const mf_crowd *crowd, uint32_t i, float root[3], float *rotations);

typedef struct {
    double x, z, facing; /* place on the ground, without the offset of the displayed pose */
    uint32_t state, variant, locked; /* locked: bit 0 for the left foot, bit 1 for the right */
} mf_character;
MF_API mf_status mf_crowd_look(const mf_crowd *crowd, uint32_t i, mf_character *out);

/* Save a character, and bring it back later in this or another crowd of the same pack, with the same bits: for rollback
 * and replays. The bytes are those of this version of the library and of little-endian machines. */
MF_API size_t mf_character_size(const mf_pack *pack);
MF_API mf_status mf_character_save(const mf_crowd *crowd, uint32_t i, void *out, size_t size);
MF_API mf_status mf_character_load(mf_crowd *crowd, uint32_t i, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
