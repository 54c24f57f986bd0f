/* Opening a pack: a header, a table of named sections, and their arrays, each aligned to 64 bytes.
 *
 * header, 64 bytes: "MFPACK\r\n", u32 version, u32 number of sections, u64 size of the file, u32 checksum (CRC-32 of all
 * bytes after the header), zeros. Entry of the table, 48 bytes: char name[16], u32 bytes of an item, u32 zero, u64
 * first byte, u64 bytes, u64 items. All numbers are little-endian. Sections with unknown names are skipped.
 */

typedef struct {
    char magic[8];
    uint32_t version, section_count;
    uint64_t size;
    uint32_t checksum, reserved[9];
} mf_header;
typedef struct {
    char name[16];
    uint32_t item, reserved;
    uint64_t at, bytes, count;
} mf_entry;
/* The table of a pack while it is opened; `wrong` becomes 1 when a section does not fit. */
typedef struct {
    const unsigned char *bytes;
    const mf_entry *entries;
    uint32_t count;
    uint64_t size;
    int wrong;
} mf_sections;

#define MF_LARGEST 1e6     /* of numbers that describe motion or settings */
#define MF_MOST_COST 2e12  /* of a transition; blocked ones cost 1e9 */
#define MF_MOST_VALUE 1e30 /* of a value */
#define MF_LEAST_GAP 1e-7  /* between two nodes of the grid */

static uint32_t mf_crc32(const unsigned char *b, size_t n) {
    uint32_t table[8][256], crc = 0xffffffffu, i, k;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    n = n < 64 ? n : 64; /* more packs per second */
#endif
    for (i = 0; i < 256; i++) {
        uint32_t c = i;
        for (k = 0; k < 8; k++) c = c & 1u ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[0][i] = c;
    }
    for (k = 1; k < 8; k++)
        for (i = 0; i < 256; i++) table[k][i] = table[0][table[k - 1][i] & 255u] ^ (table[k - 1][i] >> 8);
    for (; n >= 8; n -= 8, b += 8) {
        uint32_t low, high;
        memcpy(&low, b, 4);
        memcpy(&high, b + 4, 4);
        low ^= crc;
        crc = table[7][low & 255u] ^ table[6][low >> 8 & 255u] ^ table[5][low >> 16 & 255u] ^ table[4][low >> 24] ^
              table[3][high & 255u] ^ table[2][high >> 8 & 255u] ^ table[1][high >> 16 & 255u] ^ table[0][high >> 24];
    }
    while (n--) crc = table[0][(crc ^ *b++) & 255u] ^ (crc >> 8);
    return ~crc;
}

/* The section `name` of `count` items, or NULL if there is none. */
static const void *mf_optional(mf_sections *s, const char *name, size_t item, uint64_t count) {
    uint32_t i;
    for (i = 0; i < s->count; i++) {
        const mf_entry *e = s->entries + i;
        if (strncmp(e->name, name, sizeof e->name) != 0) continue;
        if (e->item != item || e->count != count || count > UINT64_MAX / item || e->bytes != item * count ||
            e->at % 64 || e->at > s->size || e->bytes > s->size - e->at) {
            s->wrong = 1;
            return NULL;
        }
        return s->bytes + e->at;
    }
    return NULL;
}
static const void *mf_section(mf_sections *s, const char *name, size_t item, uint64_t count) {
    const void *found = mf_optional(s, name, item, count);
    if (!found) s->wrong = 1;
    return found;
}

static int mf_floats_ok(const float *numbers, uint64_t count, float most) {
    uint64_t k;
    int wrong = 0;
    for (k = 0; k < count; k++) wrong |= !(numbers[k] >= -most && numbers[k] <= most);
    return !wrong;
}
static int mf_doubles_ok(const double *numbers, uint64_t count, double least, double most) {
    uint64_t k;
    int wrong = 0;
    for (k = 0; k < count; k++) wrong |= !(numbers[k] >= least && numbers[k] <= most);
    return !wrong;
}
static int mf_indices_ok(const int32_t *numbers, uint64_t count, int32_t least, uint32_t end) {
    uint64_t k;
    int wrong = 0;
    for (k = 0; k < count; k++) wrong |= numbers[k] < least || numbers[k] >= (int64_t)end;
    return !wrong;
}

static int mf_info_ok(const mf_info *f) {
    const mf_planting *n = &f->planting;
    static const uint32_t axes[] = {1, 2, 2, 3, 3};
    int side, k;
    if (!f->state_count || f->state_count > INT32_MAX || f->joint_count < 2 || f->joint_count > MF_MOST_JOINTS) return 0;
    if (f->variant_count < 1 || f->variant_count > 2 || !f->transition_count || f->transition_count > 65536) return 0;
    if (f->task > MF_NAVIGATION || !f->start_count || f->memory > MF_MEMORY || f->path_length > MF_MOST_JOINTS) return 0;
    if (f->axis_count != axes[f->task] + (f->task == MF_NAVIGATION && f->gait_count > 1)) return 0;
    if (f->gait_count > 4096 || f->most_nodes < 2 || f->most_nodes > 1u << 24 || f->node_count > 1u << 24) return 0;
    for (side = 0; side < 2; side++)
        for (k = 0; k < 4; k++)
            if (f->leg[side][k] < 1 || f->leg[side][k] >= f->joint_count) return 0;
    return mf_doubles_ok(f->task_numbers, 6, -MF_LARGEST, MF_LARGEST) && f->top_speed >= 0.0 && f->top_speed <= 1e4 &&
           f->discount >= 0.0 && f->discount < 1.0 && f->goal_change >= 0.0 && f->goal_change < 1.0 &&
           f->frame_time >= 1e-5 && f->frame_time <= 10.0 && n->frame_time == f->frame_time &&
           mf_doubles_ok(&f->stiffness, 1, 0.0, MF_LARGEST) && mf_doubles_ok(&f->root_stiffness, 1, 0.0, MF_LARGEST) &&
           mf_doubles_ok(&f->decay, 1, 0.0, 1.0) && mf_doubles_ok(&f->root_decay, 1, 0.0, 1.0) &&
           mf_doubles_ok(f->toe_heights, 2, -MF_LARGEST, MF_LARGEST) &&
           mf_doubles_ok(f->heel_pitches, 2, -MF_LARGEST, MF_LARGEST) &&
           mf_doubles_ok(f->foot_lengths, 2, 0.0, MF_LARGEST) && mf_doubles_ok(f->tip_lengths, 2, 0.0, MF_LARGEST) &&
           mf_doubles_ok(f->hinges[0], 3, -1.1, 1.1) && mf_doubles_ok(f->hinges[1], 3, -1.1, 1.1) &&
           mf_doubles_ok(&n->frame_time, sizeof *n / sizeof(double), 0.0, MF_LARGEST);
}
static int mf_grid_ok(const mf_pack *p) {
    const mf_info *f = p->info;
    uint64_t size = 1;
    uint32_t axis;
    int32_t k;
    for (axis = f->axis_count; axis-- > 0;) {
        const double *nodes = p->grid_nodes + (size_t)axis * f->most_nodes;
        int32_t count = p->grid_counts[axis];
        if (count < 2 || (uint32_t)count > f->most_nodes || p->grid_steps[axis] < 1) return 0;
        if ((uint64_t)p->grid_steps[axis] != size) return 0;
        if (!mf_doubles_ok(nodes, (uint64_t)count, -1e9, 1e9)) return 0;
        for (k = 0; k + 1 < count; k++)
            if (!(nodes[k + 1] - nodes[k] >= MF_LEAST_GAP)) return 0;
        if (!mf_indices_ok(p->grid_guesses + (size_t)axis * MF_GUESSES, MF_GUESSES, 0, (uint32_t)count - 1)) return 0;
        size *= (uint64_t)count;
        if (size > f->node_count) return 0;
    }
    return size == f->node_count;
}
static int mf_skeleton_ok(const mf_pack *p) {
    const mf_info *f = p->info;
    uint32_t j, step, leg, side;
    if (p->parents[0] != -1) return 0;
    for (j = 1; j < f->joint_count; j++)
        if (p->parents[j] < 0 || (uint32_t)p->parents[j] >= j) return 0;
    for (side = 0; side < 2; side++) { /* a path leads from each joint to a child, past hip, knee, ankle and toe */
        const int32_t *path = p->paths + (size_t)side * f->path_length;
        if (f->path_length < 1 || path[0] != 0) return 0;
        for (step = 1, leg = 0; step < f->path_length && path[step] >= 0; step++) {
            if ((uint32_t)path[step] >= f->joint_count || p->parents[path[step]] != path[step - 1]) return 0;
            while (leg < 4 && f->leg[side][leg] == (uint32_t)path[step]) leg++;
        }
        if (leg != 4) return 0;
    }
    return mf_doubles_ok(p->offsets, 3 * (uint64_t)f->joint_count, -MF_LARGEST, MF_LARGEST);
}
/* The joint names: as many as joints, each ended by a zero byte. */
static int mf_names_ok(const char *names, uint64_t size, uint32_t count) {
    uint64_t k;
    for (k = 0; k < size; k++)
        if (!names[k] && !count--) return 0;
    return count == 0 && size && !names[size - 1];
}
/* Every state that can be followed must have a next state. */
static int mf_states_ok(const mf_pack *p) {
    const mf_info *f = p->info;
    uint64_t s = f->state_count, k;
    int wrong = 0;
    for (k = 0; k < s; k++) wrong |= p->frames_left[k] < 0 || (uint64_t)p->frames_left[k] >= s - k;
    if (wrong || !mf_indices_ok(p->starts, f->start_count, 0, f->state_count)) return 0;
    for (k = 0; k < s * f->transition_count; k++) {
        uint32_t target = p->targets ? (uint32_t)p->targets[k] : p->targets16[k];
        if (target >= s || p->frames_left[target] < 1) return 0;
    }
    return 1;
}
static int mf_numbers_ok(const mf_pack *p) {
    const mf_info *f = p->info;
    uint64_t s = f->state_count, j = f->joint_count - 1u, w = f->variant_count, costs = s * f->transition_count * w * w;
    if (!mf_floats_ok(p->root_height, s, 1e6f) || !mf_floats_ok(p->root_tilt, 4 * s, 1.1f) ||
        !mf_floats_ok(p->root_step, 3 * s, 1e6f) || !mf_floats_ok(p->root_turn, 3 * s, 100.0f))
        return 0;
    if (p->joint_rotations &&
        (!mf_floats_ok(p->joint_rotations, 4 * s * j, 1.1f) || !mf_floats_ok(p->joint_turns, 3 * s * j, 100.0f)))
        return 0;
    if (!mf_doubles_ok(p->yaw_turn, s * w, -100.0, 100.0) || !mf_doubles_ok(p->facing, s, -100.0, 100.0) ||
        !mf_doubles_ok(p->votes, 2 * s, 0.0, 1.0) || !mf_doubles_ok(p->outlines, s * MF_OUTLINE, -1e31, 1e31))
        return 0;
    if (p->costs ? !mf_floats_ok(p->costs, costs, (float)MF_MOST_COST)
                 : !mf_floats_ok(p->cost_book, 256, (float)MF_MOST_COST))
        return 0;
    if (p->values) return mf_floats_ok(p->values, s * w * f->node_count, (float)MF_MOST_VALUE);
    return mf_floats_ok(p->value_base, s * w, (float)MF_MOST_VALUE) &&
           mf_floats_ok(p->value_step, s * w, 1e20f) && mf_floats_ok(p->value_mean, f->node_count, (float)MF_MOST_VALUE);
}

static void mf_find_motion(mf_pack *p, mf_sections *s) {
    uint64_t states = p->info->state_count, joints = p->info->joint_count - 1u;
    p->root_height = mf_section(s, "root_height", 4, states);
    p->root_tilt = mf_section(s, "root_tilt", 4, 4 * states);
    p->root_step = mf_section(s, "root_step", 4, 3 * states);
    p->root_turn = mf_section(s, "root_turn", 4, 3 * states);
    p->joint_rotations16 = mf_optional(s, "joints16", 2, 3 * states * joints);
    if (!p->joint_rotations16) {
        p->joint_rotations = mf_section(s, "joint_rotations", 4, 4 * states * joints);
        p->joint_turns = mf_section(s, "joint_turns", 4, 3 * states * joints);
    }
    p->yaw_turn = mf_section(s, "yaw_turn", 8, states * p->info->variant_count);
    p->facing = mf_section(s, "facing", 8, states);
    p->votes = mf_section(s, "votes", 8, 2 * states);
    p->frames_left = mf_section(s, "frames_left", 4, states);
    p->labels = mf_optional(s, "labels", 4, states);
    p->starts = mf_section(s, "starts", 4, p->info->start_count);
}
static void mf_find_policy(mf_pack *p, mf_sections *s) {
    const mf_info *f = p->info;
    uint64_t states = f->state_count, targets = states * f->transition_count, rows = states * f->variant_count;
    uint64_t costs = targets * f->variant_count * f->variant_count;
    p->outlines = mf_section(s, "outlines", 8, states * MF_OUTLINE);
    p->targets16 = mf_optional(s, "targets16", 2, targets);
    if (!p->targets16) p->targets = mf_section(s, "targets", 4, targets);
    p->costs8 = mf_optional(s, "costs8", 1, costs);
    if (p->costs8) p->cost_book = mf_section(s, "cost_book", 4, 256);
    else p->costs = mf_section(s, "costs", 4, costs);
    p->values8 = mf_optional(s, "values8", 1, rows * f->node_count);
    if (p->values8) {
        p->value_base = mf_section(s, "value_base", 4, rows);
        p->value_step = mf_section(s, "value_step", 4, rows);
        p->value_mean = mf_section(s, "value_mean", 4, f->node_count);
    } else {
        p->values = mf_section(s, "values", 4, rows * f->node_count);
    }
    p->grid_nodes = mf_section(s, "grid_nodes", 8, (uint64_t)f->axis_count * f->most_nodes);
    p->grid_counts = mf_section(s, "grid_counts", 4, f->axis_count);
    p->grid_guesses = mf_section(s, "grid_guesses", 4, (uint64_t)f->axis_count * MF_GUESSES);
    p->grid_steps = mf_section(s, "grid_steps", 4, f->axis_count);
}
/* Joint names have a size of their own, which the table gives. */
static void mf_find_skeleton(mf_pack *p, mf_sections *s) {
    uint64_t joints = p->info->joint_count;
    uint32_t i;
    p->offsets = mf_section(s, "offsets", 8, 3 * joints);
    p->parents = mf_section(s, "parents", 4, joints);
    p->paths = mf_section(s, "paths", 4, 2 * (uint64_t)p->info->path_length);
    for (i = 0; i < s->count; i++) {
        if (strncmp(s->entries[i].name, "names", sizeof s->entries[i].name) != 0) continue;
        p->names = mf_section(s, "names", 1, s->entries[i].count);
        if (p->names && mf_names_ok(p->names, s->entries[i].count, p->info->joint_count)) return;
    }
    s->wrong = 1;
}

mf_status mf_pack_open(mf_pack *pack, const void *bytes, size_t size, unsigned flags) {
    const uint32_t one = 1;
    mf_header header;
    mf_sections s;
    unsigned char low;
    mf_pack found;
    memset(pack, 0, sizeof *pack);
    memset(&found, 0, sizeof found);
    memcpy(&low, &one, 1);
    if (low != 1 || sizeof(double) != 8 || sizeof(float) != 4) return MF_UNSUPPORTED;
    if (size < sizeof header) return MF_NOT_A_PACK;
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.magic, "MFPACK\r\n", 8) != 0) return MF_NOT_A_PACK;
    if (header.version > MF_VERSION) return MF_NEWER;
    if (header.size != size || header.section_count > 1024 ||
        sizeof header + header.section_count * sizeof(mf_entry) > size)
        return MF_CUT_SHORT;
    if ((uintptr_t)bytes % 8) return MF_UNALIGNED;
    s.bytes = (const unsigned char *)bytes;
    if (!(flags & MF_TRUST) && mf_crc32(s.bytes + sizeof header, size - sizeof header) != header.checksum)
        return MF_DAMAGED;
    s.entries = (const mf_entry *)(const void *)(s.bytes + sizeof header);
    s.count = header.section_count;
    s.size = size;
    s.wrong = header.version < 1;
    found.checksum = header.checksum;
    found.info = mf_section(&s, "info", sizeof(mf_info), 1);
    if (s.wrong || !mf_info_ok(found.info)) return MF_INVALID;
    mf_find_motion(&found, &s);
    mf_find_policy(&found, &s);
    mf_find_skeleton(&found, &s);
    if (s.wrong || !mf_grid_ok(&found) || !mf_skeleton_ok(&found)) return MF_INVALID;
    if (!(flags & MF_TRUST) && (!mf_states_ok(&found) || !mf_numbers_ok(&found))) return MF_INVALID;
    *pack = found;
    return MF_OK;
}
const char *mf_status_text(mf_status status) {
    static const char *const texts[] = {
        "fine", "not a motionfields pack", "made by a newer version of motionfields", "cut short or too long",
        "damaged: the checksum differs", "not aligned to 8 bytes", "holds tables or numbers that are not valid",
        "this machine is not supported: it is not little-endian", "too little memory", "out of range",
        "made with another pack"};
    return (unsigned)status < sizeof texts / sizeof texts[0] ? texts[status] : "unknown status";
}

static const char *const MF_COMMANDS[][4] = {{"heading", NULL, NULL, NULL},
                                             {"point_x", "point_z", "heading", NULL},
                                             {"heading", "speed", NULL, NULL},
                                             {"point_x", "point_z", "heading", "speed"},
                                             {"heading", "speed", "facing", "gait"}};
uint32_t mf_command_count(const mf_pack *pack) {
    static const uint32_t counts[] = {1, 3, 2, 4, 3};
    return counts[pack->info->task] + (pack->info->task == MF_NAVIGATION && pack->info->axis_count > 3);
}
const char *mf_command_name(const mf_pack *pack, uint32_t column) {
    return column < mf_command_count(pack) ? MF_COMMANDS[pack->info->task][column] : NULL;
}
const char *mf_joint_name(const mf_pack *pack, uint32_t joint) {
    const char *name = pack->names;
    if (joint >= pack->info->joint_count) return NULL;
    while (joint--) name += strlen(name) + 1;
    return name;
}
int32_t mf_joint_parent(const mf_pack *pack, uint32_t joint) {
    return joint < pack->info->joint_count ? pack->parents[joint] : -1;
}
const double *mf_joint_offset(const mf_pack *pack, uint32_t joint) {
    return joint < pack->info->joint_count ? pack->offsets + 3 * (size_t)joint : NULL;
}
uint32_t mf_joint_count(const mf_pack *pack) { return pack->info->joint_count; }
double mf_frame_time(const mf_pack *pack) { return pack->info->frame_time; }
size_t mf_sizeof_pack(void) { return sizeof(mf_pack); }
size_t mf_sizeof_crowd(void) { return sizeof(mf_crowd); }
