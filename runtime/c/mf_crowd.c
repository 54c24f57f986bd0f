/* Crowds: characters one after the other in the caller's memory. */

static size_t mf_stride(const mf_pack *p) {
    size_t size = sizeof(mf_memory) + sizeof(double) * (6 * mf_part_count(p) + 4 * (size_t)p->info->joint_count);
    return (size + 63) / 64 * 64;
}
size_t mf_crowd_size(const mf_pack *pack, uint32_t count) {
    size_t stride = mf_stride(pack);
    return count > SIZE_MAX / stride ? 0 : stride * count;
}

static void mf_forget_feet(mf_memory *c) {
    memset(c->feet, 0, sizeof c->feet);
    c->feet[0].fade_clock = c->feet[1].fade_clock = HUGE_VAL;
    memset(c->root_velocity, 0, sizeof c->root_velocity);
    memset(c->drop, 0, sizeof c->drop);
    c->has_history = 0;
}
static void mf_begin(const mf_crowd *crowd, uint32_t i, uint32_t state, uint32_t every, uint32_t plants) {
    mf_memory *c = mf_memory_of(crowd, i);
    int k;
    memset(c, 0, crowd->stride);
    c->checksum = crowd->pack->checksum;
    c->state = state;
    c->every = every;
    c->plants = plants;
    c->stretch = 1.0;
    for (k = 0; k < MF_MEMORY; k++) c->recent[k] = -1;
    mf_forget_feet(c);
    mf_show(crowd->pack, c);
}

mf_status mf_crowd_init(mf_crowd *crowd, const mf_pack *pack, void *memory, size_t size, uint32_t count) {
    size_t needed = mf_crowd_size(pack, count);
    uint32_t i;
    memset(crowd, 0, sizeof *crowd);
    if (count && (!needed || size < needed)) return MF_TOO_SMALL;
    if ((uintptr_t)memory % 8) return MF_UNALIGNED;
    crowd->pack = pack;
    crowd->memory = (unsigned char *)memory;
    crowd->stride = mf_stride(pack);
    crowd->count = count;
    for (i = 0; i < count; i++) mf_begin(crowd, i, (uint32_t)pack->starts[i % pack->info->start_count], 1, 1);
    return MF_OK;
}
mf_status mf_crowd_start(mf_crowd *crowd, uint32_t i, uint32_t state) {
    mf_memory *c;
    if (i >= crowd->count || state >= crowd->pack->info->state_count) return MF_OUT_OF_RANGE;
    c = mf_memory_of(crowd, i);
    mf_begin(crowd, i, state, c->every, c->plants);
    return MF_OK;
}
mf_status mf_crowd_place(mf_crowd *crowd, uint32_t i, double x, double z, double facing) {
    mf_memory *c;
    if (i >= crowd->count) return MF_OUT_OF_RANGE;
    if (!(fabs(x) <= MF_FURTHEST && fabs(z) <= MF_FURTHEST && fabs(facing) <= MF_FURTHEST)) return MF_OUT_OF_RANGE;
    c = mf_memory_of(crowd, i);
    c->position[0] = x;
    c->position[1] = z;
    c->yaw = facing - crowd->pack->facing[c->state];
    mf_forget_feet(c);
    mf_show(crowd->pack, c);
    return MF_OK;
}
mf_status mf_crowd_detail(mf_crowd *crowd, uint32_t i, uint32_t every, int plant) {
    mf_memory *c;
    if (i >= crowd->count || !every) return MF_OUT_OF_RANGE;
    c = mf_memory_of(crowd, i);
    if ((c->plants != 0) != (plant != 0)) mf_forget_feet(c);
    c->every = every;
    c->plants = plant != 0;
    return MF_OK;
}

/* Whether all numbers of a displayed pose are finite. */
static int mf_is_sound(const mf_pack *p, mf_memory *c) {
    const double *rotations = mf_rotations(p, c);
    double left = (c->root[0] - c->root[0]) + (c->root[1] - c->root[1]) + (c->root[2] - c->root[2]);
    size_t k;
    for (k = 0; k < 4 * (size_t)p->info->joint_count; k++) left += rotations[k] - rotations[k];
    return left == 0.0;
}
/* Let a character begin again where it is, as far as that is known. Only packs with absurd numbers lead here. */
static void mf_restart(const mf_crowd *crowd, uint32_t i) {
    mf_memory *c = mf_memory_of(crowd, i);
    const mf_pack *p = crowd->pack;
    double x = fabs(c->position[0]) <= MF_FURTHEST ? c->position[0] : 0.0;
    double z = fabs(c->position[1]) <= MF_FURTHEST ? c->position[1] : 0.0;
    double yaw = fabs(c->yaw) <= MF_FURTHEST ? c->yaw : 0.0;
    mf_begin(crowd, i, (uint32_t)p->starts[(crowd->frame + i) % p->info->start_count], c->every, c->plants);
    c->position[0] = x;
    c->position[1] = z;
    c->yaw = yaw;
    mf_show(p, c);
}

mf_status mf_crowd_step(mf_crowd *crowd, const double *commands, uint32_t first, uint32_t count) {
    const mf_pack *p = crowd->pack;
    size_t columns = mf_command_count(p), k;
    uint32_t i;
    if (first > crowd->count || count > crowd->count - first) return MF_OUT_OF_RANGE;
    for (k = columns * first; k < columns * ((size_t)first + count); k++)
        if (!(fabs(commands[k]) <= MF_LARGEST_COMMAND)) return MF_OUT_OF_RANGE;
    for (i = first; i < first + count; i++) {
        mf_memory *c = mf_memory_of(crowd, i);
        uint32_t state = c->state, variant = c->variant;
        /* Decisions are staggered to even out the load. At the end of a clip a character must decide. */
        if ((crowd->frame + i) % c->every == 0 || p->frames_left[state] < 1) {
            mf_goal goal;
            mf_set_goal(p, c, commands + columns * i, &goal);
            mf_choose(p, c, &goal, &state, &variant);
        }
        mf_follow(p, c, state, variant, mf_spin(p, state, variant), 1.0);
        mf_show(p, c);
        if (c->plants) mf_plant(p, c);
        if (!mf_is_sound(p, c)) mf_restart(crowd, i);
    }
    return MF_OK;
}
void mf_crowd_end_frame(mf_crowd *crowd) { crowd->frame++; }

const double *mf_crowd_root(const mf_crowd *crowd, uint32_t i) {
    return i < crowd->count ? mf_memory_of(crowd, i)->root : NULL;
}
const double *mf_crowd_rotations(const mf_crowd *crowd, uint32_t i) {
    return i < crowd->count ? mf_rotations(crowd->pack, mf_memory_of(crowd, i)) : NULL;
}
mf_status mf_crowd_pose(const mf_crowd *crowd, uint32_t i, float root[3], float *rotations) {
    const double *from, *place;
    size_t j;
    if (i >= crowd->count) return MF_OUT_OF_RANGE;
    from = mf_crowd_rotations(crowd, i);
    place = mf_crowd_root(crowd, i);
    for (j = 0; j < 3; j++) root[j] = (float)place[j];
    for (j = 0; j < crowd->pack->info->joint_count; j++) {
        rotations[4 * j] = (float)from[4 * j + 1];
        rotations[4 * j + 1] = (float)from[4 * j + 2];
        rotations[4 * j + 2] = (float)from[4 * j + 3];
        rotations[4 * j + 3] = (float)from[4 * j];
    }
    return MF_OK;
}
mf_status mf_crowd_look(const mf_crowd *crowd, uint32_t i, mf_character *out) {
    const mf_memory *c;
    if (i >= crowd->count) return MF_OUT_OF_RANGE;
    c = mf_memory_of(crowd, i);
    out->x = c->position[0];
    out->z = c->position[1];
    out->facing = c->yaw + crowd->pack->facing[c->state];
    out->state = c->state;
    out->variant = c->variant;
    out->locked = c->feet[0].locked | c->feet[1].locked << 1;
    return MF_OK;
}

/* Saved bytes: the character's memory, then a checksum of it in eight bytes. */
size_t mf_character_size(const mf_pack *pack) { return mf_stride(pack) + 8; }
mf_status mf_character_save(const mf_crowd *crowd, uint32_t i, void *out, size_t size) {
    uint64_t sum;
    if (i >= crowd->count) return MF_OUT_OF_RANGE;
    if (size < crowd->stride + sizeof sum) return MF_TOO_SMALL;
    memcpy(out, mf_memory_of(crowd, i), crowd->stride);
    sum = mf_crc32((const unsigned char *)out, crowd->stride);
    memcpy((unsigned char *)out + crowd->stride, &sum, sizeof sum);
    return MF_OK;
}
mf_status mf_character_load(mf_crowd *crowd, uint32_t i, const void *bytes, size_t size) {
    const mf_info *f = crowd->pack->info;
    uint64_t sum;
    mf_memory c;
    if (i >= crowd->count) return MF_OUT_OF_RANGE;
    if (size != crowd->stride + sizeof sum) return MF_CUT_SHORT;
    memcpy(&sum, (const unsigned char *)bytes + crowd->stride, sizeof sum);
    if (sum != mf_crc32((const unsigned char *)bytes, crowd->stride)) return MF_DAMAGED;
    memcpy(&c, bytes, sizeof c);
    if (c.checksum != crowd->pack->checksum) return MF_OTHER_PACK;
    /* All that a frame uses as an index. Other numbers can be anything: an absurd pose starts again. */
    if (c.state >= f->state_count || c.variant >= f->variant_count || !c.every || c.feet[0].locked > 1 ||
        c.feet[1].locked > 1)
        return MF_INVALID;
    memcpy(mf_memory_of(crowd, i), bytes, crowd->stride);
    return MF_OK;
}
