/* The C runtime for the Python package: a frame of a crowd whose characters are in numpy arrays.
 *
 * `src/motionfields/base/native.py` loads the compiled library, and `src/motionfields/runtime/native_step.py` fills the
 * structures below; the loops of numba in `src/motionfields/runtime/stepping.py` give the same bits.
 */
#ifndef MF_SYSTEM_MATH
#define MF_SYSTEM_MATH /* the functions that numba and Python call */
#endif
#include "../c/motionfields.c"

#if defined(_WIN32)
#define MFP_API __declspec(dllexport)
#else
#define MFP_API __attribute__((visibility("default")))
#endif

/* Pointers to arrays by character; the comments give the shape after the axis of characters. */
typedef struct {
    double *position, *yaw;                       /* [2], [] */
    int64_t *state, *recent, *variant;            /* [], [MF_MEMORY], [] */
    double *spin, *stretch, *offset, *rate;       /* [], [], [joint + 1, 3] twice */
    int64_t *frames;                              /* [] frames with locked feet so far */
    double *root_velocity, *drop, *votes;         /* [3], [2], [2] */
    uint8_t *locked;                              /* [2] */
    double *wait, *clearance, *anchor, *lean;     /* [2], [2, 2], [2, 4], [2, 2] */
    double *animated, *shown;                     /* [2, 2, MF_ANIMATED], [2, 2, MF_SHOWN] */
    double *fade_clock, *fade_time, *fade;        /* [2], [2, MF_SHOWN], [2, 2, MF_SHOWN] */
    double *shift;                                /* [3] */
    int64_t *chosen, *chosen_variant;             /* [] */
    double *chosen_spin, *chosen_stretch;         /* [] */
    const int64_t *every;                         /* [] */
    const uint8_t *plants;                        /* [] */
    double *root, *rotations;                     /* [3], [joint, 4] */
    const double *params;                         /* [axis] */
    const double *state_votes;                    /* by state, [2] */
} mfp_tracks;

enum { MFP_DECIDE = 1, MFP_FOLLOW = 2, MFP_SHOW = 4, MFP_PLANT = 8 };

/* Space for one character of the most joints. */
typedef struct {
    mf_memory memory;
    double rest[6 * (MF_MOST_JOINTS + 1) + 4 * MF_MOST_JOINTS];
} mfp_character;

static void mfp_read_feet(const mfp_tracks *t, size_t i, mf_memory *c) {
    int side;
    c->has_history = t->frames[i] > 0;
    c->root_velocity[0] = t->root_velocity[3 * i];
    c->root_velocity[1] = t->root_velocity[3 * i + 2];
    memcpy(c->drop, t->drop + 2 * i, sizeof c->drop);
    for (side = 0; side < 2; side++) {
        mf_foot *foot = &c->feet[side];
        size_t at = 2 * i + (size_t)side;
        foot->vote = t->votes[at];
        foot->wait = t->wait[at];
        foot->locked = t->locked[at];
        foot->fade_clock = t->fade_clock[at];
        memcpy(foot->clearance, t->clearance + 2 * at, sizeof foot->clearance);
        memcpy(foot->anchor, t->anchor + 4 * at, sizeof foot->anchor);
        memcpy(foot->lean, t->lean + 2 * at, sizeof foot->lean);
        memcpy(foot->animated, t->animated + 2 * MF_ANIMATED * at, sizeof foot->animated);
        memcpy(foot->shown, t->shown + 2 * MF_SHOWN * at, sizeof foot->shown);
        memcpy(foot->fade_time, t->fade_time + MF_SHOWN * at, sizeof foot->fade_time);
        memcpy(foot->fade, t->fade + 2 * MF_SHOWN * at, sizeof foot->fade);
    }
}
static void mfp_write_feet(const mfp_tracks *t, size_t i, const mf_memory *c) {
    int side;
    t->frames[i]++;
    t->root_velocity[3 * i] = c->root_velocity[0];
    t->root_velocity[3 * i + 2] = c->root_velocity[1];
    memcpy(t->drop + 2 * i, c->drop, sizeof c->drop);
    for (side = 0; side < 2; side++) {
        const mf_foot *foot = &c->feet[side];
        size_t at = 2 * i + (size_t)side;
        t->votes[at] = foot->vote;
        t->wait[at] = foot->wait;
        t->locked[at] = (uint8_t)foot->locked;
        t->fade_clock[at] = foot->fade_clock;
        memcpy(t->clearance + 2 * at, foot->clearance, sizeof foot->clearance);
        memcpy(t->anchor + 4 * at, foot->anchor, sizeof foot->anchor);
        memcpy(t->lean + 2 * at, foot->lean, sizeof foot->lean);
        memcpy(t->animated + 2 * MF_ANIMATED * at, foot->animated, sizeof foot->animated);
        memcpy(t->shown + 2 * MF_SHOWN * at, foot->shown, sizeof foot->shown);
        memcpy(t->fade_time + MF_SHOWN * at, foot->fade_time, sizeof foot->fade_time);
        memcpy(t->fade + 2 * MF_SHOWN * at, foot->fade, sizeof foot->fade);
    }
}

static void mfp_decide(const mf_pack *p, const mfp_tracks *t, size_t i, int64_t frame, const mf_memory *c) {
    uint32_t state = c->state, variant = c->variant;
    if ((frame + (int64_t)i) % t->every[i] == 0 || p->frames_left[state] < 1) {
        mf_goal goal;
        memset(&goal, 0, sizeof goal);
        memcpy(goal.params, t->params + (size_t)p->info->axis_count * i, p->info->axis_count * sizeof(double));
        mf_aim(p->info, &goal);
        mf_choose(p, c, &goal, &state, &variant);
    }
    t->chosen[i] = state;
    t->chosen_variant[i] = variant;
    t->chosen_spin[i] = mf_spin(p, state, variant);
    t->chosen_stretch[i] = 1.0;
}
static void mfp_step_one(const mf_pack *p, const mfp_tracks *t, unsigned stages, int64_t frame, size_t i) {
    mfp_character space;
    mf_memory *c = &space.memory;
    size_t joints = p->info->joint_count, offsets = 3 * (joints + 1);
    int k;
    c->state = (uint32_t)t->state[i];
    c->variant = (uint32_t)t->variant[i];
    memcpy(c->position, t->position + 2 * i, sizeof c->position);
    c->yaw = t->yaw[i];
    if (stages & MFP_DECIDE) {
        for (k = 0; k < MF_MEMORY; k++) c->recent[k] = (int32_t)t->recent[MF_MEMORY * i + (size_t)k];
        mfp_decide(p, t, i, frame, c);
    }
    if (stages & (MFP_FOLLOW | MFP_SHOW)) memcpy(mf_offsets(c), t->offset + offsets * i, offsets * sizeof(double));
    if (stages & MFP_FOLLOW) {
        c->spin = t->spin[i];
        c->stretch = t->stretch[i];
        memcpy(mf_rates(p, c), t->rate + offsets * i, offsets * sizeof(double));
        mf_follow(p, c, (uint32_t)t->chosen[i], (uint32_t)t->chosen_variant[i], t->chosen_spin[i],
                  t->chosen_stretch[i]);
        memcpy(t->offset + offsets * i, mf_offsets(c), offsets * sizeof(double));
        memcpy(t->rate + offsets * i, mf_rates(p, c), offsets * sizeof(double));
        memmove(t->recent + MF_MEMORY * i + 1, t->recent + MF_MEMORY * i, (MF_MEMORY - 1) * sizeof *t->recent);
        t->recent[MF_MEMORY * i] = t->state[i] = c->state;
        t->variant[i] = c->variant;
        t->spin[i] = c->spin;
        t->stretch[i] = c->stretch;
        t->yaw[i] = c->yaw;
    }
    if (stages & MFP_SHOW) {
        mf_show(p, c);
    } else if (stages & MFP_PLANT) {
        memcpy(c->root, t->root + 3 * i, sizeof c->root);
        memcpy(mf_rotations(p, c), t->rotations + 4 * joints * i, 4 * joints * sizeof(double));
    }
    if ((stages & MFP_PLANT) && t->plants[i]) {
        mf_vec shift;
        mfp_read_feet(t, i, c);
        shift = mf_plant(p, c);
        mfp_write_feet(t, i, c);
        t->shift[3 * i] = shift.x;
        t->shift[3 * i + 1] = 0.0;
        t->shift[3 * i + 2] = shift.z;
    }
    memcpy(t->position + 2 * i, c->position, sizeof c->position);
    if (stages & (MFP_SHOW | MFP_PLANT)) {
        memcpy(t->root + 3 * i, c->root, sizeof c->root);
        memcpy(t->rotations + 4 * joints * i, mf_rotations(p, c), 4 * joints * sizeof(double));
    }
}

/* Run the stages of frame number `frame` for the characters first .. first + count - 1. */
MFP_API void mfp_step(const mf_pack *pack, const mfp_tracks *tracks, unsigned stages, int64_t frame, size_t first,
                      size_t count) {
    mf_pack own = *pack;
    size_t i;
    own.votes = tracks->state_votes;
    for (i = first; i < first + count; i++) mfp_step_one(&own, tracks, stages, frame, i);
}
/* Sizes of the structures that Python fills: of mf_info, mf_pack and mfp_tracks. */
MFP_API size_t mfp_size(int which) {
    return which == 0 ? sizeof(mf_info) : which == 1 ? sizeof(mf_pack) : sizeof(mfp_tracks);
}

/* Mark rows in `found` [count] that hold a number that is not finite; `numbers` is [count, width]. */
MFP_API size_t mfp_not_finite(size_t count, size_t width, const double *numbers, uint8_t *found) {
    size_t i, k, total = 0;
    for (i = 0; i < count; i++, numbers += width) {
        double a = 0.0, b = 0.0, c = 0.0, d = 0.0; /* four sums, so that additions need not wait for each other */
        for (k = 0; k + 4 <= width; k += 4) {
            a += numbers[k] - numbers[k];
            b += numbers[k + 1] - numbers[k + 1];
            c += numbers[k + 2] - numbers[k + 2];
            d += numbers[k + 3] - numbers[k + 3];
        }
        for (; k < width; k++) a += numbers[k] - numbers[k];
        if (!(a + b + c + d == 0.0)) found[i] = 1;
        total += found[i];
    }
    return total;
}

/* Twins of the loops in `src/motionfields/base/geometry/kernels.py` and `src/motionfields/motion/skeleton.py`. */
MFP_API void mfp_multiply(size_t count, const double *a, const double *b, double *out) {
    for (; count--; a += 4, b += 4, out += 4) mf_put(mf_mul(mf_quat_at(a), mf_quat_at(b)), out);
}
MFP_API void mfp_rotate(size_t count, const double *q, const double *v, double *out) {
    for (; count--; q += 4, v += 3, out += 3) {
        mf_vec axis = mf_vec3(q[1], q[2], q[3]), old = mf_vec_at(v), twice = mf_cross(axis, old), moved;
        twice = mf_add(twice, twice);
        moved = mf_add(mf_add(old, mf_scale(twice, q[0])), mf_cross(axis, twice));
        out[0] = moved.x;
        out[1] = moved.y;
        out[2] = moved.z;
    }
}
MFP_API void mfp_exp(size_t count, const double *v, double *out) {
    for (; count--; v += 3, out += 4) mf_put(mf_exponential(mf_vec_at(v)), out);
}
/* In single precision like the input, except for the sine. */
MFP_API void mfp_exp32(size_t count, const float *v, float *out) {
    for (; count--; v += 3, out += 4) {
        float angle = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        double factor, sine, cosine;
        mf_sincos(0.5 * (double)angle, &sine, &cosine);
        factor = (double)angle > 1e-4 ? sine / (double)angle : 0.5 - (double)(angle * angle) / 48.0;
        out[0] = (float)cosine;
        out[1] = (float)(factor * (double)v[0]);
        out[2] = (float)(factor * (double)v[1]);
        out[3] = (float)(factor * (double)v[2]);
    }
}
MFP_API void mfp_log(size_t count, const double *q, double *out) {
    for (; count--; q += 4, out += 3) {
        double sign = q[0] < 0.0 ? -1.0 : 1.0, w = sign * q[0], x = sign * q[1], y = sign * q[2], z = sign * q[3];
        double sine = sqrt(x * x + y * y + z * z), ratio = sine / w, factor;
        factor = sine > 1e-4 ? 2.0 * mf_atan2(sine, w) / sine : 2.0 / w * (1.0 - ratio * ratio / 3.0);
        out[0] = factor * x;
        out[1] = factor * y;
        out[2] = factor * z;
    }
}
static void mfp_normalize(double *q) {
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    int c;
    for (c = 0; c < 4; c++) q[c] /= norm;
}
MFP_API void mfp_average(size_t count, size_t members, const double *quats, const double *weights, double tolerance,
                         double *out) {
    for (; count--; quats += 4 * members, weights += members, out += 4) {
        double inverse[4], turn[4], vector[3], step[3];
        size_t k, heaviest = 0;
        int c, round;
        for (k = 0; k < members; k++)
            if (weights[k] > weights[heaviest]) heaviest = k;
        for (c = 0; c < 4; c++) out[c] = 0.0;
        for (k = 0; k < members; k++) {
            double dot = 0.0, weight;
            for (c = 0; c < 4; c++) dot += quats[4 * k + (size_t)c] * quats[4 * heaviest + (size_t)c];
            weight = dot >= 0.0 ? weights[k] : -weights[k];
            for (c = 0; c < 4; c++) out[c] += weight * quats[4 * k + (size_t)c];
        }
        mfp_normalize(out);
        for (round = 0; round < 20; round++) {
            inverse[0] = out[0];
            for (c = 1; c < 4; c++) inverse[c] = -out[c];
            for (c = 0; c < 3; c++) step[c] = 0.0;
            for (k = 0; k < members; k++) {
                mfp_multiply(1, inverse, quats + 4 * k, turn);
                mfp_log(1, turn, vector);
                for (c = 0; c < 3; c++) step[c] += weights[k] * vector[c];
            }
            mfp_exp(1, step, turn);
            mfp_multiply(1, out, turn, out);
            mfp_normalize(out);
            if (step[0] * step[0] + step[1] * step[1] + step[2] * step[2] < tolerance * tolerance) break;
        }
    }
}
MFP_API void mfp_forward(size_t count, size_t joints, const int64_t *parents, const double *offsets,
                         const double *roots, const double *turns, double *positions, double *worlds) {
    size_t j;
    for (; count--; roots += 3, turns += 4 * joints, positions += 3 * joints, worlds += 4 * joints) {
        for (j = 0; j < joints; j++) {
            const double *parent_place, *v = offsets + 3 * j;
            double *place = positions + 3 * j;
            mf_quat parent;
            mf_vec axis, twice, across;
            if (parents[j] < 0) {
                memcpy(place, roots, 3 * sizeof(double));
                memcpy(worlds + 4 * j, turns + 4 * j, 4 * sizeof(double));
                continue;
            }
            parent_place = positions + 3 * parents[j];
            parent = mf_quat_at(worlds + 4 * parents[j]);
            axis = mf_vec3(parent.x, parent.y, parent.z);
            twice = mf_scale(mf_cross(axis, mf_vec_at(v)), 2.0);
            across = mf_cross(axis, twice);
            place[0] = parent_place[0] + v[0] + parent.w * twice.x + across.x;
            place[1] = parent_place[1] + v[1] + parent.w * twice.y + across.y;
            place[2] = parent_place[2] + v[2] + parent.w * twice.z + across.z;
            mf_put(mf_mul(parent, mf_quat_at(turns + 4 * j)), worlds + 4 * j);
        }
    }
}
