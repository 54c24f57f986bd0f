/* Foot locking: a foot that comes into contact is brought to rest and stays where it is.
 *
 * A free foot is shown as animated, a locked one at its anchor. When it changes between the two, it continues with its
 * position and velocity and eases into the new rule. The root follows the locked feet; where a leg cannot reach, first
 * the pelvis sinks, then the heel rises.
 */

#define MF_HEEL_SHARE 0.5       /* clearance of a swinging heel as a share of that of its ball */
#define MF_SHARPEST_LANDING 2.5 /* rate times duration by height: a steeper fade would go below the floor */
#define MF_FLAT 0.9             /* radians of pitch up to which a heel rises freely ... */
#define MF_STEEP 1.35           /* ... and above which it rises only if it must */
#define MF_HEEL_SOFTNESS 0.08
#define MF_HINGE_ONLY 0.02 /* radians of knee bend below which the hinge sets the plane of the leg ... */
#define MF_BEND_ONLY 0.15  /* ... and above which the bend does */
#define MF_SETTLED 1e-7    /* metres, and metres per second */

/* One leg as animated, in the world. */
typedef struct {
    mf_vec hip, knee, ankle, toe;
    mf_quat thigh;
} mf_limb;

static mf_limb mf_find_limb(const mf_pack *p, int side, mf_vec root, const double *rotations, double *worlds) {
    const uint32_t *leg = p->info->leg[side];
    const int32_t *path = p->paths + (size_t)side * p->info->path_length;
    mf_quat turn = mf_unit(mf_quat_at(rotations));
    mf_vec place = root;
    mf_limb limb;
    uint32_t step;
    mf_put(turn, worlds);
    limb.hip = limb.knee = limb.ankle = place;
    limb.thigh = turn;
    for (step = 1; step < p->info->path_length && path[step] >= 0; step++) {
        uint32_t joint = (uint32_t)path[step];
        place = mf_add(place, mf_rotate(turn, mf_vec_at(p->offsets + 3 * (size_t)joint)));
        turn = mf_mul(turn, mf_unit(mf_quat_at(rotations + 4 * (size_t)joint)));
        mf_put(turn, worlds + 4 * (size_t)joint);
        if (joint == leg[0]) {
            limb.hip = place;
            limb.thigh = turn;
        } else if (joint == leg[1]) {
            limb.knee = place;
        } else if (joint == leg[2]) {
            limb.ankle = place;
        }
    }
    limb.toe = place;
    return limb;
}

static double mf_above_floor(const mf_info *f, int side, double height, double clearance) {
    double softness = f->planting.floor_softness, lack = f->toe_heights[side] + clearance - softness - height;
    return height + mf_soft_positive(lack, softness);
}
static double mf_risen_share(const mf_info *f, int side, double pitch) {
    return mf_smoothstep((pitch - f->heel_pitches[side]) / f->planting.heel_hold);
}
static double mf_held_height(const mf_info *f, int side, double height, double pitch) {
    double rest = f->toe_heights[side];
    double most = f->tip_lengths[side] * mf_sin(mf_max(pitch - f->heel_pitches[side], 0.0));
    return rest + mf_max(most - mf_soft_positive(most - (height - rest), f->planting.floor_softness), 0.0);
}
static mf_vec mf_held_turn(const mf_info *f, int side, double yaw, double pitch, double anchor_yaw) {
    double flat = f->heel_pitches[side], held, turned, s, c;
    mf_vec sideways;
    if (!f->has_toes[side]) return mf_vec3(0.0, 0.0, 0.0);
    held = flat + (pitch - flat) * mf_risen_share(f, side, pitch);
    mf_sincos(anchor_yaw, &s, &c);
    sideways = mf_vec3(c, 0.0, -s);
    turned = mf_nearest_turn(anchor_yaw, yaw) - yaw;
    return mf_logarithm(mf_mul(mf_about(sideways, held - pitch), mf_about_up(turned)));
}
static double mf_shown_yaw(const mf_foot *t, int frame) {
    double yaw = t->animated[frame][MF_YAW], yaw_sine, yaw_cosine, pitch_sine, pitch_cosine;
    mf_vec arm;
    mf_sincos(yaw, &yaw_sine, &yaw_cosine);
    mf_sincos(t->animated[frame][MF_PITCH], &pitch_sine, &pitch_cosine);
    arm = mf_vec3(pitch_cosine * yaw_sine, -pitch_sine, pitch_cosine * yaw_cosine);
    arm = mf_rotate(mf_exponential(mf_vec_at(t->shown[frame] + MF_TURN)), arm);
    return mf_nearest_turn(mf_atan2(arm.x, arm.z), yaw);
}

/* The offset that is left of a foot in one channel, `clock` seconds after it began to fade. */
static double mf_fade_left(const mf_foot *t, int channel, double clock) {
    double duration = t->fade_time[channel];
    if (clock >= duration) return 0.0;
    return mf_fading(clock / duration, t->fade[0][channel], t->fade[1][channel] * duration);
}
/* Start the offset that continues the displayed motion, where the new rule gives `before` and then `now`. */
static void mf_begin_fade(mf_foot *t, double frame_time, int channel, double now, double before, double time) {
    double gap = t->shown[0][channel] - now;
    t->fade[0][channel] = gap;
    t->fade[1][channel] = (gap - (t->shown[1][channel] - before)) / frame_time;
    t->fade_time[channel] = time;
    t->fade_clock = frame_time;
}

/* Lock a foot on the floor, where it stops if it slows down evenly within the stop time. */
static void mf_lock(const mf_info *f, mf_foot *t, int side) {
    double frame_time = f->planting.frame_time, duration = f->planting.stop_time + frame_time;
    double ahead = 0.5 * duration / frame_time, settle = f->planting.settle_time, yaw, height, rate;
    mf_vec now, before;
    int c;
    t->locked = 1;
    for (c = 0; c < 2; c++) t->lean[c] = t->clearance[c] = 0.0;
    for (c = MF_X; c <= MF_Z; c += 2) {
        t->anchor[c] = t->shown[0][c] + ahead * (t->shown[0][c] - t->shown[1][c]);
        mf_begin_fade(t, frame_time, c, t->anchor[c], t->anchor[c], duration);
    }
    t->anchor[MF_Y] = f->toe_heights[side];
    mf_begin_fade(t, frame_time, MF_Y, mf_held_height(f, side, t->animated[0][MF_Y], t->animated[0][MF_PITCH]),
                  mf_held_height(f, side, t->animated[1][MF_Y], t->animated[1][MF_PITCH]), settle);
    yaw = mf_shown_yaw(t, 0);
    t->anchor[MF_YAW] = yaw + ahead * (yaw - mf_nearest_turn(mf_shown_yaw(t, 1), yaw));
    now = mf_held_turn(f, side, t->animated[0][MF_YAW], t->animated[0][MF_PITCH], t->anchor[MF_YAW]);
    before = mf_held_turn(f, side, t->animated[1][MF_YAW], t->animated[1][MF_PITCH], t->anchor[MF_YAW]);
    mf_begin_fade(t, frame_time, MF_TURN, now.x, before.x, settle);
    mf_begin_fade(t, frame_time, MF_TURN + 1, now.y, before.y, settle);
    mf_begin_fade(t, frame_time, MF_TURN + 2, now.z, before.z, settle);
    height = t->fade[0][MF_Y];
    rate = t->fade[1][MF_Y];
    if (height <= 0.0) t->fade[1][MF_Y] = mf_max(rate, 0.0);
    else if (-rate * settle > MF_SHARPEST_LANDING * height) t->fade_time[MF_Y] = MF_SHARPEST_LANDING * height / -rate;
}
static void mf_release(const mf_info *f, mf_foot *t) {
    double frame_time = f->planting.frame_time, time = f->planting.fade_time;
    int c;
    t->locked = 0;
    for (c = 0; c < 3; c++) {
        mf_begin_fade(t, frame_time, c, t->animated[0][c], t->animated[1][c], time);
        mf_begin_fade(t, frame_time, MF_TURN + c, 0.0, 0.0, time);
    }
}

/* Fill `a` with the animated foot, kept above the floor and with a continuous yaw. */
static void mf_read_foot(const mf_info *f, const mf_limb *limb, int has_history, int side, mf_foot *t, double *a) {
    mf_vec arm = mf_sub(limb->toe, limb->ankle);
    int k;
    a[MF_X] = limb->toe.x;
    a[MF_Y] = mf_above_floor(f, side, limb->toe.y, 0.0);
    a[MF_Z] = limb->toe.z;
    a[MF_YAW] = a[MF_PITCH] = 0.0;
    if (mf_length(arm) > 0.0) {
        a[MF_YAW] = mf_atan2(arm.x, arm.z);
        a[MF_PITCH] = mf_atan2(-arm.y, mf_hypot(arm.x, arm.z));
    }
    if (!has_history) { /* the foot counts as at rest */
        for (k = 0; k < 2; k++) {
            memcpy(t->animated[k], a, sizeof t->animated[k]);
            memcpy(t->shown[k], a, 3 * sizeof a[0]);
        }
        return;
    }
    a[MF_YAW] = mf_nearest_turn(a[MF_YAW], t->animated[0][MF_YAW]);
}

static void mf_lock_or_release(const mf_info *f, int has_history, int side, mf_foot *t, double vote, const double *a) {
    const mf_planting *n = &f->planting;
    double rise, off;
    t->fade_clock += n->frame_time;
    t->wait = mf_max(0.0, t->wait - n->frame_time);
    rise = has_history ? (vote - t->vote) / n->frame_time : 0.0;
    t->vote = vote;
    if (!t->locked) {
        if (vote + rise * n->lock_lead >= n->lock_vote && t->wait <= 0.0) mf_lock(f, t, side);
        return;
    }
    off = mf_hypot(t->anchor[MF_X] + t->lean[0] - a[MF_X], t->anchor[MF_Z] + t->lean[1] - a[MF_Z]);
    if (off > n->furthest) t->wait = n->wait_time;
    if (off > n->furthest || vote + rise * n->release_lead < n->release_vote) mf_release(f, t);
}

/* Turn the anchor with the animation: as far as the heel has risen, and where a flat foot is turned too far. */
static void mf_pivot(const mf_info *f, int side, mf_foot *t, const double *a, double yaw_step) {
    const mf_planting *n = &f->planting;
    double turned, over;
    t->anchor[MF_YAW] += mf_risen_share(f, side, a[MF_PITCH]) * yaw_step;
    turned = a[MF_YAW] - t->anchor[MF_YAW];
    over = mf_soft_positive(fabs(turned) - n->furthest_turn, 0.25 * n->furthest_turn);
    t->anchor[MF_YAW] += copysign(over, turned);
}
/* The lift that lets a free foot, which moves by `step` metres in this frame, clear the floor. */
static double mf_clearing_lift(const mf_info *f, int side, mf_foot *t, const double *a, double step) {
    const mf_planting *n = &f->planting;
    double speed = step / n->frame_time, goal = 0.0, lifted;
    if (t->vote < n->lock_vote) {
        double fast = (speed - n->clearance_from) / (n->clearance_to - n->clearance_from);
        goal = n->swing_clearance * mf_smoothstep(fast);
    }
    mf_damped(&t->clearance[0], &t->clearance[1], goal, n->clearance_time, n->frame_time);
    lifted = mf_above_floor(f, side, a[MF_Y], t->clearance[0]);
    return lifted - mf_above_floor(f, side, a[MF_Y], 0.0);
}
/* The pitch that lifts the ball of a foot by `lift`, as far as the ankle allows. */
static double mf_lifting_pitch(const mf_info *f, int side, const double *a, double lift) {
    double most = f->planting.ankle_lift, pitch;
    if (lift == 0.0 || !f->has_toes[side]) return 0.0;
    pitch = -most * mf_tanh(lift / (f->foot_lengths[side] * most));
    return pitch * (1.0 - mf_smoothstep(fabs(a[MF_PITCH]) - 0.3));
}
/* The lift that lets the heel clear the floor too. */
static double mf_heel_lift(const mf_info *f, int side, const mf_foot *t, double height, double pitch) {
    double above = height + f->foot_lengths[side] * (mf_sin(pitch) - mf_sin(f->heel_pitches[side]));
    double wanted = mf_above_floor(f, side, above, MF_HEEL_SHARE * t->clearance[0]);
    return wanted - mf_above_floor(f, side, above, 0.0);
}
/* Compute the displayed foot from the animated foot `a`, and record both. */
static void mf_show_foot(const mf_info *f, int side, mf_foot *t, const double *a) {
    double step_x = a[MF_X] - t->animated[0][MF_X], step_z = a[MF_Z] - t->animated[0][MF_Z];
    double yaw_step = a[MF_YAW] - t->animated[0][MF_YAW], *shown = t->shown[0];
    mf_vec turn;
    int c;
    memcpy(t->animated[1], t->animated[0], sizeof t->animated[0]);
    memcpy(t->shown[1], t->shown[0], sizeof t->shown[0]);
    memcpy(t->animated[0], a, sizeof t->animated[0]);
    memcpy(shown, a, 3 * sizeof a[0]);
    if (t->locked) {
        mf_pivot(f, side, t, a, yaw_step);
        shown[MF_X] = t->anchor[MF_X];
        shown[MF_Z] = t->anchor[MF_Z];
        shown[MF_Y] = mf_held_height(f, side, a[MF_Y], a[MF_PITCH]);
        turn = mf_held_turn(f, side, a[MF_YAW], a[MF_PITCH], t->anchor[MF_YAW]);
    } else {
        double lift = mf_clearing_lift(f, side, t, a, mf_hypot(step_x, step_z)), s, cosine;
        double pitch = mf_lifting_pitch(f, side, a, lift);
        mf_sincos(a[MF_YAW], &s, &cosine);
        turn = mf_vec3(pitch * cosine, 0.0, -pitch * s);
        shown[MF_Y] += lift;
        shown[MF_Y] += mf_heel_lift(f, side, t, shown[MF_Y], a[MF_PITCH] + pitch);
    }
    shown[MF_TURN] = turn.x;
    shown[MF_TURN + 1] = turn.y;
    shown[MF_TURN + 2] = turn.z;
    for (c = 0; c < MF_SHOWN; c++) shown[c] += mf_fade_left(t, c, t->fade_clock);
    shown[MF_Y] = mf_above_floor(f, side, shown[MF_Y], 0.0);
}
static int mf_changed(const mf_foot *t, const mf_limb *limb) {
    const double *shown = t->shown[0], *a = t->animated[0];
    return shown[MF_X] != a[MF_X] || shown[MF_Y] != limb->toe.y || shown[MF_Z] != a[MF_Z] || shown[MF_TURN] != 0.0 ||
           shown[MF_TURN + 1] != 0.0 || shown[MF_TURN + 2] != 0.0;
}

/* Reach of a leg, in metres. */
static double mf_leg_length(const mf_limb *limb) {
    return mf_length(mf_sub(limb->knee, limb->hip)) + mf_length(mf_sub(limb->ankle, limb->knee));
}
/* How firmly a foot is locked, 0 to 1. */
static double mf_planted_share(const mf_info *f, const mf_foot *t) {
    if (t->locked) return mf_smoothstep(t->fade_clock / f->planting.settle_time);
    return 1.0 - mf_smoothstep(t->fade_clock / f->planting.fade_time);
}
/* The leg length beyond which pelvis and heel give way. */
static double mf_easy_reach(const mf_info *f, const mf_limb *limb, double planted) {
    double whole = mf_leg_length(limb), own = mf_length(mf_sub(limb->ankle, limb->hip));
    double longest = 1.0 - planted * (1.0 - f->planting.full_reach);
    return mf_max(f->planting.easy_reach * whole, mf_min(own, longest * whole));
}
static double mf_full_reach(const mf_info *f, const mf_limb *limb) {
    return mf_max(f->planting.full_reach * mf_leg_length(limb), mf_length(mf_sub(limb->ankle, limb->hip)));
}
static double mf_needed_drop(const mf_info *f, const mf_foot *t, const mf_limb *limb, mf_vec shift) {
    mf_vec turned = mf_rotate(mf_exponential(mf_vec_at(t->shown[0] + MF_TURN)), mf_sub(limb->ankle, limb->toe));
    mf_vec way = mf_sub(mf_add(limb->hip, shift), mf_add(mf_vec_at(t->shown[0]), turned));
    double reach = mf_easy_reach(f, limb, mf_planted_share(f, t)), level = way.x * way.x + way.z * way.z;
    double lack = way.y - sqrt(mf_max(reach * reach - level, 0.0)), softness = f->planting.reach_softness;
    return mf_soft_positive(lack - softness, softness);
}
/* The smallest pitch of a foot of length `size` along `direction` with the ankle in `reach` of the hip. */
static double mf_pitch_for(mf_vec to_hip, mf_vec direction, double size, double reach) {
    double along = size * mf_dot(to_hip, direction), upward = size * to_hip.y;
    double most = mf_max(mf_hypot(along, upward), 1e-9);
    double wanted = 0.5 * (mf_dot(to_hip, to_hip) + size * size - reach * reach) / most;
    return mf_atan2(upward, along) - mf_acos(mf_min(mf_max(wanted, -1.0), 1.0));
}
/* Pitch `arm`, from ball to ankle, up about the ball until the ankle is near enough to the hip. */
static mf_vec mf_raise_heel(mf_vec hip, mf_vec toe, mf_vec arm, double easy, double full) {
    mf_vec to_hip = mf_sub(hip, toe), direction;
    double size = mf_length(arm), level = mf_hypot(arm.x, arm.z), pitch, steep, s, c;
    if (level <= 0.02 * size || mf_length(mf_sub(to_hip, arm)) < easy - size) return arm;
    direction = mf_vec3(arm.x / level, 0.0, arm.z / level);
    pitch = mf_atan2(arm.y, level);
    steep = mf_smoothstep((pitch - MF_FLAT) / (MF_STEEP - MF_FLAT));
    pitch += (1.0 - steep) * mf_soft_positive(mf_pitch_for(to_hip, direction, size, easy) - pitch, MF_HEEL_SOFTNESS);
    pitch = mf_max(pitch, mf_pitch_for(to_hip, direction, size, full));
    mf_sincos(pitch, &s, &c);
    return mf_add(mf_scale(direction, size * c), mf_scale(mf_vec3(0.0, 1.0, 0.0), size * s));
}
/* The shank bent against `thigh` so that the leg spans `distance`, or as near to it as the bones allow. */
static mf_vec mf_bent_shank(mf_vec thigh, mf_vec shank, mf_vec hinge, double distance) {
    double upper = mf_length(thigh), lower = mf_length(shank);
    double span = mf_min(mf_max(distance, fabs(upper - lower)), upper + lower), share;
    double cosine = (span * span - upper * upper - lower * lower) / (2.0 * upper * lower);
    mf_vec along, by_hinge, direction, by_bend, across;
    cosine = mf_min(mf_max(cosine, -1.0), 1.0);
    along = mf_scale(thigh, 1.0 / upper);
    by_hinge = mf_cross(hinge, along);
    by_hinge = mf_scale(by_hinge, 1.0 / mf_max(mf_length(by_hinge), 1e-12));
    direction = mf_scale(shank, 1.0 / lower);
    by_bend = mf_sub(direction, mf_scale(along, mf_dot(direction, along)));
    share = (mf_dot(by_bend, by_hinge) - MF_HINGE_ONLY) / (MF_BEND_ONLY - MF_HINGE_ONLY);
    share = mf_min(mf_max(share, 0.0), 1.0);
    across = mf_add(mf_scale(by_hinge, 1.0 - share), mf_scale(by_bend, share / mf_max(mf_length(by_bend), 1e-12)));
    across = mf_scale(across, sqrt(1.0 - cosine * cosine) / mf_max(mf_length(across), 1e-12));
    return mf_scale(mf_add(mf_scale(along, cosine), across), lower);
}

/* Write the rotation of a joint, after world rotations `above` of its parent and `turn` of itself. */
static void mf_write(const mf_pack *p, double *rotations, const double *worlds, uint32_t joint, mf_quat above,
                     mf_quat turn) {
    mf_quat parent = mf_mul(above, mf_quat_at(worlds + 4 * (size_t)p->parents[joint]));
    mf_quat local = mf_unit(mf_mul(mf_conjugate(parent), mf_mul(turn, mf_quat_at(worlds + 4 * (size_t)joint))));
    double *r = rotations + 4 * (size_t)joint, sign = 1.0;
    if (local.w * r[0] + local.x * r[1] + local.y * r[2] + local.z * r[3] < 0.0) sign = -1.0;
    mf_put(mf_quat4(sign * local.w, sign * local.x, sign * local.y, sign * local.z), r);
}
/* Toes follow a foot that is turned or pitched up, but stay level when the heel rises. */
static mf_quat mf_toe_turn(const mf_foot *t, mf_vec arm, mf_quat turn) {
    double level = mf_hypot(arm.x, arm.z), pitched;
    mf_quat twist = mf_twist_about_up(turn);
    if (level < 1e-6) return twist;
    pitched = mf_min(mf_atan2(arm.y, level) - t->animated[0][MF_PITCH], 0.0);
    return mf_mul(mf_about(mf_vec3(-arm.z / level, 0.0, arm.x / level), pitched), twist);
}
/* Bring one leg to its displayed foot. `shift` is the motion of its hip. */
static void mf_pose_leg(const mf_pack *p, int side, const mf_foot *t, const mf_limb *limb, mf_vec shift,
                        const double *worlds, double *rotations) {
    const mf_info *f = p->info;
    const uint32_t *leg = f->leg[side];
    mf_vec toe = mf_vec_at(t->shown[0]), hip = mf_add(limb->hip, shift);
    mf_quat turn = mf_exponential(mf_vec_at(t->shown[0] + MF_TURN));
    mf_vec flat = mf_rotate(turn, mf_sub(limb->ankle, limb->toe));
    mf_vec arm = mf_raise_heel(hip, toe, flat, mf_easy_reach(f, limb, mf_planted_share(f, t)), mf_full_reach(f, limb));
    mf_vec ankle = mf_add(toe, arm), thigh = mf_sub(limb->knee, limb->hip), shank = mf_sub(limb->ankle, limb->knee);
    mf_quat foot_turn = mf_mul(mf_between(flat, arm), turn), toes = mf_toe_turn(t, flat, turn);
    mf_vec hinge = mf_rotate(limb->thigh, mf_vec_at(f->hinges[side]));
    mf_vec bent = mf_bent_shank(thigh, shank, hinge, mf_length(mf_sub(ankle, hip)));
    mf_quat swing = mf_between(mf_add(thigh, bent), mf_sub(ankle, hip));
    mf_quat below_knee = mf_mul(swing, mf_between(shank, bent));
    mf_write(p, rotations, worlds, leg[0], mf_quat4(1.0, 0.0, 0.0, 0.0), swing);
    mf_write(p, rotations, worlds, leg[1], swing, below_knee);
    mf_write(p, rotations, worlds, leg[2], below_knee, foot_turn);
    if (leg[3] != leg[2]) mf_write(p, rotations, worlds, leg[3], foot_turn, toes);
}

/* How far the root moves over the ground in this frame towards its locked feet. */
static mf_vec mf_root_shift(const mf_planting *n, mf_memory *c, double feet[2][MF_ANIMATED]) {
    double gap_x = 0.0, gap_z = 0.0, haste, shift_x = 0.0, shift_z = 0.0, count = 0.0;
    int side;
    for (side = 0; side < 2; side++) {
        mf_foot *t = &c->feet[side];
        if (t->locked) {
            double clock = t->fade_clock + n->frame_time, fade = mf_exp(-n->frame_time / n->lean_time);
            t->lean[0] *= fade;
            t->lean[1] *= fade;
            gap_x += t->anchor[MF_X] + mf_fade_left(t, MF_X, clock) + t->lean[0] - feet[side][MF_X];
            gap_z += t->anchor[MF_Z] + mf_fade_left(t, MF_Z, clock) + t->lean[1] - feet[side][MF_Z];
            count += 1.0;
        }
    }
    gap_x /= mf_max(count, 1.0);
    gap_z /= mf_max(count, 1.0);
    haste = 1.0 + (gap_x * gap_x + gap_z * gap_z) / (n->root_haste * n->root_haste);
    mf_damped(&shift_x, &c->root_velocity[0], gap_x, n->root_time / haste, n->frame_time);
    mf_damped(&shift_z, &c->root_velocity[1], gap_z, n->root_time / haste, n->frame_time);
    return mf_vec3(shift_x, 0.0, shift_z);
}
static double mf_sink_pelvis(const mf_planting *n, mf_memory *c, double goal) {
    mf_damped(&c->drop[0], &c->drop[1], goal, goal > c->drop[0] ? n->sink_time : n->rise_time, n->frame_time);
    /* A spring only approaches zero; an exact zero lets unchanged legs be skipped again. */
    if (goal == 0.0 && fabs(c->drop[0]) < MF_SETTLED && fabs(c->drop[1]) < MF_SETTLED) c->drop[0] = c->drop[1] = 0.0;
    return c->drop[0];
}

/* Lock the feet of the displayed pose, and move the character with its root; returns how far. */
static mf_vec mf_plant(const mf_pack *p, mf_memory *c) {
    const mf_info *f = p->info;
    const double *votes = p->votes + 2 * (size_t)c->state;
    double *rotations = mf_rotations(p, c), worlds[MF_MOST_JOINTS * 4], feet[2][MF_ANIMATED], needed = 0.0, drop;
    mf_vec place = mf_vec_at(c->root), shift;
    mf_limb limbs[2];
    int side, has_history = c->has_history != 0;
    for (side = 0; side < 2; side++) limbs[side] = mf_find_limb(p, side, place, rotations, worlds);
    for (side = 0; side < 2; side++) mf_read_foot(f, &limbs[side], has_history, side, &c->feet[side], feet[side]);
    shift = mf_root_shift(&f->planting, c, feet);
    for (side = 0; side < 2; side++) {
        feet[side][MF_X] += shift.x;
        feet[side][MF_Z] += shift.z;
        mf_lock_or_release(f, has_history, side, &c->feet[side], votes[side], feet[side]);
        mf_show_foot(f, side, &c->feet[side], feet[side]);
        if (mf_changed(&c->feet[side], &limbs[side]))
            needed = mf_max(needed, mf_needed_drop(f, &c->feet[side], &limbs[side], shift));
    }
    drop = mf_sink_pelvis(&f->planting, c, mf_min(needed, f->planting.deepest));
    for (side = 0; side < 2; side++) /* a leg that shows the animation keeps the bits of its rotations */
        if (drop != 0.0 || mf_changed(&c->feet[side], &limbs[side]))
            mf_pose_leg(p, side, &c->feet[side], &limbs[side], mf_vec3(shift.x, -drop, shift.z), worlds, rotations);
    c->root[0] = place.x + shift.x;
    c->root[1] = place.y + 0.0 - drop;
    c->root[2] = place.z + shift.z;
    c->has_history = 1;
    c->position[0] += shift.x;
    c->position[1] += shift.z;
    return shift;
}
