/* Following a database state, and the displayed pose: the pose of the data plus an offset.
 *
 * At a transition, pose and velocity of the data jump, but the displayed pose does not. The jump becomes an offset that
 * decays like a critically damped spring (inertialization).
 */

static mf_quat mf_unpacked(const int16_t *a) {
    const double unit = 1.0 / 32767.0;
    double x = a[0] * unit, y = a[1] * unit, z = a[2] * unit, square = 1.0 - x * x - y * y - z * z;
    return mf_quat4(square > 0.0 ? sqrt(square) : 0.0, x, y, z);
}
static size_t mf_joint_index(const mf_pack *p, uint32_t state, uint32_t joint) {
    return (size_t)state * (p->info->joint_count - 1u) + joint;
}
/* Joint 0 is the first after the root. */
static mf_quat mf_joint_rotation(const mf_pack *p, uint32_t state, uint32_t joint) {
    size_t at = mf_joint_index(p, state, joint);
    return p->joint_rotations ? mf_quat_atf(p->joint_rotations + 4 * at) : mf_unpacked(p->joint_rotations16 + 3 * at);
}
/* The turn of a joint to the next frame. The last state of a clip has that of the one before, as in the database. */
static mf_vec mf_unpacked_turn(const mf_pack *p, uint32_t state, uint32_t joint) {
    if (p->frames_left[state] < 1) {
        if (state == 0 || p->frames_left[state - 1] < 1) return mf_vec3(0.0, 0.0, 0.0);
        state--;
    }
    return mf_logarithm(mf_mul(mf_joint_rotation(p, state + 1, joint), mf_conjugate(mf_joint_rotation(p, state, joint))));
}

/* The rotation vector from `b` to `a`. The product is single precision like the data, as in the Python package. */
static mf_vec mf_gap(const float *a, const float *b) {
    float w = a[0] * b[0] - a[1] * -b[1] - a[2] * -b[2] - a[3] * -b[3];
    float x = a[0] * -b[1] + a[1] * b[0] + a[2] * -b[3] - a[3] * -b[2];
    float y = a[0] * -b[2] - a[1] * -b[3] + a[2] * b[0] + a[3] * -b[1];
    float z = a[0] * -b[3] + a[1] * -b[2] - a[2] * -b[1] + a[3] * b[0];
    float sine = sqrtf(x * x + y * y + z * z);
    double sign = w >= 0.0f ? 1.0 : -1.0, f = sign * 2.0;
    if ((double)sine > 1e-4) f *= mf_atan2((double)sine, sign * (double)w) / (double)sine;
    return mf_vec3(f * (double)x, f * (double)y, f * (double)z);
}

static void mf_accumulate(double *track, mf_vec v, double factor) {
    track[0] += factor * v.x;
    track[1] += factor * v.y;
    track[2] += factor * v.z;
}
static void mf_damp(double *offset, double *rate, double stiffness, double decay, double frame_time) {
    int c;
    for (c = 0; c < 3; c++) {
        double push = rate[c] + stiffness * offset[c];
        rate[c] = decay * (rate[c] - stiffness * push * frame_time);
        offset[c] = decay * (offset[c] + push * frame_time);
    }
}
static mf_vec mf_jump(const float *old, double old_share, const float *now, double share) {
    return mf_vec3(old_share * (double)old[0] - share * (double)now[0], (double)(old[1] - now[1]),
                   old_share * (double)old[2] - share * (double)now[2]);
}

/* Add the jump from state `old` to `now` to the offset of a character, and that of its joints to the rate. */
static void mf_take_over(const mf_pack *p, mf_memory *c, uint32_t old, uint32_t now, mf_quat world_from_yaw) {
    double *offset = mf_offsets(c), *rate = mf_rates(p, c), frame_time = p->info->frame_time;
    uint32_t j, joints = p->info->joint_count - 1u;
    int k;
    mf_vec gap = mf_gap(p->root_tilt + 4 * (size_t)old, p->root_tilt + 4 * (size_t)now);
    mf_accumulate(offset + 3, mf_rotate(world_from_yaw, gap), 1.0);
    offset[1] += (double)(p->root_height[old] - p->root_height[now]);
    for (j = 0; j < joints; j++) {
        size_t a = mf_joint_index(p, old, j), b = mf_joint_index(p, now, j);
        double *joint_offset = offset + 6 + 3 * (size_t)j, *joint_rate = rate + 6 + 3 * (size_t)j;
        if (p->joint_rotations) {
            mf_accumulate(joint_offset, mf_gap(p->joint_rotations + 4 * a, p->joint_rotations + 4 * b), 1.0);
            for (k = 0; k < 3; k++)
                joint_rate[k] +=
                    (double)(p->joint_turns[3 * a + (size_t)k] - p->joint_turns[3 * b + (size_t)k]) / frame_time;
        } else {
            mf_quat was = mf_joint_rotation(p, old, j), is = mf_joint_rotation(p, now, j);
            mf_accumulate(joint_offset, mf_logarithm(mf_mul(was, mf_conjugate(is))), 1.0);
            gap = mf_sub(mf_unpacked_turn(p, old, j), mf_unpacked_turn(p, now, j));
            mf_accumulate(joint_rate, gap, 1.0 / frame_time);
        }
    }
}

/* The turn of a variant in addition to the captured one, radians. */
static double mf_spin(const mf_pack *p, uint32_t state, uint32_t variant) {
    const double *turns = p->yaw_turn + (size_t)state * p->info->variant_count;
    return turns[variant] - turns[0];
}

/* Advance a character by one frame along the state `chosen`, which has a next state. The root turns by `spin` radians
 * more than captured, and moves `stretch` times as far. */
static void mf_follow(const mf_pack *p, mf_memory *c, uint32_t chosen, uint32_t variant, double spin, double stretch) {
    const mf_info *f = p->info;
    const float *step = p->root_step + 3 * (size_t)chosen;
    double *offset = mf_offsets(c), *rate = mf_rates(p, c);
    mf_quat world_from_yaw = mf_about_up(c->yaw);
    uint32_t old = c->state, part;
    mf_vec v;
    if (chosen != old) mf_take_over(p, c, old, chosen, world_from_yaw);
    if (chosen != old || variant != c->variant) {
        v = mf_jump(p->root_step + 3 * (size_t)old, c->stretch, step, stretch);
        mf_accumulate(rate, mf_rotate(world_from_yaw, v), 1.0 / f->frame_time);
        v = mf_jump(p->root_turn + 3 * (size_t)old, 1.0, p->root_turn + 3 * (size_t)chosen, 1.0);
        v.y = v.y + c->spin - spin;
        mf_accumulate(rate + 3, mf_rotate(world_from_yaw, v), 1.0 / f->frame_time);
    }
    c->variant = variant;
    c->spin = spin;
    c->stretch = stretch;
    v = mf_rotate(world_from_yaw, mf_vec3(stretch * (double)step[0], 0.0, stretch * (double)step[2]));
    c->position[0] += v.x;
    c->position[1] += v.z;
    c->yaw += p->yaw_turn[(size_t)chosen * f->variant_count] + spin;
    c->state = chosen + 1;
    memmove(c->recent + 1, c->recent, (MF_MEMORY - 1) * sizeof c->recent[0]);
    c->recent[0] = (int32_t)c->state;
    mf_damp(offset, rate, f->root_stiffness, f->root_decay, f->frame_time);
    for (part = 1; part < f->joint_count + 1u; part++)
        mf_damp(offset + 3 * (size_t)part, rate + 3 * (size_t)part, f->stiffness, f->decay, f->frame_time);
}

static void mf_show(const mf_pack *p, mf_memory *c) {
    double *offset = mf_offsets(c), *rotations = mf_rotations(p, c);
    uint32_t j;
    mf_quat placed = mf_mul(mf_about_up(c->yaw), mf_quat_atf(p->root_tilt + 4 * (size_t)c->state));
    c->root[0] = c->position[0] + offset[0];
    c->root[1] = (double)p->root_height[c->state] + offset[1];
    c->root[2] = c->position[1] + offset[2];
    mf_put(mf_unit(mf_mul(mf_exponential(mf_vec_at(offset + 3)), placed)), rotations);
    for (j = 0; j + 1 < p->info->joint_count; j++) {
        mf_quat turn = mf_exponential(mf_vec_at(offset + 6 + 3 * (size_t)j));
        mf_put(mf_unit(mf_mul(turn, mf_joint_rotation(p, c->state, j))), rotations + 4 * ((size_t)j + 1));
    }
}
