/* The decision of a character: the transition with the highest reward plus discounted value. */

#define MF_BLOCKED 1e9f /* cost of a transition that is not available */
#define MF_REPLAY 1000.0 /* radians: cost of showing a state again that was shown a moment ago */
#define MF_LAST_PART (15.0 * (MF_PI / 180.0)) /* the last part of a turn, which counts more */
#define MF_HASTE 0.3
#define MF_EDGE 0.8 /* metres from a line at which its grid ends */
#define MF_FORESIGHT 30.0

static double mf_beyond(double distance) { return mf_max(fabs(distance) - MF_EDGE, 0.0); }
static double mf_angle_cost(double angle, double last_weight) {
    double off = fabs(angle);
    return off + last_weight * mf_min(off / MF_LAST_PART, 1.0);
}
static double mf_velocity_reward(const double *n, double wanted, double off, double ahead, double across) {
    double share = n[3] + (1.0 - n[3]) * mf_min(1.0, wanted / n[2]);
    double aside = (1.0 - share) * across, lacking = wanted - ahead;
    double gap = n[0] * (sqrt(lacking * lacking + aside * aside + n[1] * n[1]) - n[1]);
    return -share * off - gap;
}

/* What a decision knows about the goal, computed once for all transitions. */
typedef struct {
    double params[MF_MOST_AXES], sine, cosine, course_sine, course_cosine;
} mf_goal;

static double mf_navigation_reward(const mf_info *f, const mf_goal *g, double off, double ahead, double left,
                                   int32_t label) {
    const double *n = f->task_numbers;
    double lacking = g->params[2] - (g->course_cosine * ahead + g->course_sine * left);
    double aside = g->course_cosine * left - g->course_sine * ahead;
    double cost = n[2] * off;
    cost += n[0] * (sqrt(lacking * lacking + aside * aside + n[1] * n[1]) - n[1]);
    if (f->axis_count > 3 && label >= 0) cost += n[3] * mf_min(fabs(g->params[3] - label), 1.0);
    return -cost;
}

/* The reward of one motion, and the task parameters after it. */
static double mf_outcome(const mf_info *f, const mf_goal *g, double turn, const double *velocity, int32_t label,
                         double *after) {
    const double *n = f->task_numbers, *params = g->params;
    double along = g->sine * velocity[0] + g->cosine * velocity[1];
    double across = g->cosine * velocity[0] - g->sine * velocity[1];
    double lacking, slowness, cost, metres, off;
    after[0] = mf_wrap_once(params[0] - turn);
    switch (f->task) {
    case MF_VELOCITY:
        after[1] = params[1];
        return mf_velocity_reward(n, params[1], mf_angle_cost(after[0], n[4]), along, across);
    case MF_NAVIGATION:
        after[1] = params[1];
        after[2] = params[2];
        after[3] = params[3];
        return mf_navigation_reward(f, g, mf_angle_cost(after[0], n[4]), along, across, label);
    case MF_LANE:
        after[1] = params[1] + across * f->frame_time;
        after[2] = params[2];
        metres = fabs(after[1]) + MF_FORESIGHT * (mf_beyond(after[1]) - mf_beyond(params[1]));
        off = mf_angle_cost(after[0], n[5]) + n[4] * metres;
        return mf_velocity_reward(n, params[2], off, velocity[1], velocity[0]);
    default:
        lacking = n[0] - along;
        slowness = mf_max(lacking, -MF_HASTE * lacking);
        cost = mf_angle_cost(after[0], n[2]);
        if (f->task == MF_LINE) {
            after[1] = params[1] + across * f->frame_time;
            cost += n[3] * fabs(after[1]);
            cost += MF_FORESIGHT * n[3] * (mf_beyond(after[1]) - mf_beyond(params[1]));
        }
        return -cost - n[1] * slowness;
    }
}

/* Fill what follows from the task parameters. */
static void mf_aim(const mf_info *f, mf_goal *g) {
    mf_sincos(g->params[0], &g->sine, &g->cosine);
    if (f->task == MF_NAVIGATION) mf_sincos(g->params[1], &g->course_sine, &g->course_cosine);
}

/* The task parameters of a character under its command. */
static void mf_set_goal(const mf_pack *p, const mf_memory *c, const double *command, mf_goal *g) {
    const mf_info *f = p->info;
    double facing = c->yaw + p->facing[c->state], heading = command[0], sine, cosine;
    memset(g, 0, sizeof *g);
    if (f->task == MF_LINE || f->task == MF_LANE) {
        heading = command[2];
        mf_sincos(heading, &sine, &cosine);
        g->params[1] = cosine * (c->position[0] - command[0]) - sine * (c->position[1] - command[1]);
        if (f->task == MF_LANE) g->params[2] = mf_min(mf_max(command[3], 0.0), f->top_speed);
    } else if (f->task == MF_VELOCITY) {
        g->params[1] = mf_min(mf_max(command[1], 0.0), f->top_speed);
    } else if (f->task == MF_NAVIGATION) {
        heading = command[2]; /* the wanted facing; command[0] is the direction of travel */
        g->params[1] = mf_wrap(command[0] - heading);
        g->params[2] = mf_min(mf_max(command[1], 0.0), f->top_speed);
        if (f->axis_count > 3) { /* the nearest whole number; of two, the even one */
            double gait = mf_min(mf_max(command[3], 0.0), (double)f->gait_count - 1.0), low = floor(gait);
            int up = gait - low > 0.5 || (gait - low == 0.5 && fmod(low, 2.0) != 0.0);
            g->params[3] = up ? low + 1.0 : low;
        }
    }
    g->params[0] = mf_wrap(heading - facing);
    mf_aim(f, g);
}

/* The first node of the cell that holds a point, and the position of the point in the cell. */
static size_t mf_find_cell(const mf_pack *p, const double *params, float *shares) {
    uint32_t axis;
    size_t first = 0;
    for (axis = 0; axis < p->info->axis_count; axis++) {
        const double *nodes = p->grid_nodes + (size_t)axis * p->info->most_nodes;
        int32_t last = p->grid_counts[axis] - 1, part, cell;
        double point = params[axis] > nodes[0] ? params[axis] : nodes[0]; /* so that NaN becomes the first node */
        if (nodes[last] < point) point = nodes[last];
        part = (int32_t)((point - nodes[0]) * (MF_GUESSES / (nodes[last] - nodes[0])));
        cell = p->grid_guesses[axis * MF_GUESSES + (uint32_t)(part < MF_GUESSES - 1 ? part : MF_GUESSES - 1)];
        while (cell > 0 && point < nodes[cell]) cell--;
        while (cell < last - 1 && point >= nodes[cell + 1]) cell++;
        shares[axis] = (float)((point - nodes[cell]) / (nodes[cell + 1] - nodes[cell]));
        first += (size_t)cell * (size_t)p->grid_steps[axis];
    }
    return first;
}

static float mf_value_at(const mf_pack *p, size_t row, size_t node) {
    size_t at = row * p->info->node_count + node;
    if (p->values) return p->values[at];
    return p->value_base[row] + p->value_step[row] * (float)p->values8[at] + p->value_mean[node];
}
static double mf_interpolated(const mf_pack *p, size_t row, size_t first, const float *shares) {
    uint32_t axes = p->info->axis_count, corner, axis;
    double total = 0.0;
    if (axes == 1) { /* the second product is rounded to float, as in the Python package */
        float upper = shares[0] * mf_value_at(p, row, first + (size_t)p->grid_steps[0]);
        return (1.0 - (double)shares[0]) * (double)mf_value_at(p, row, first) + (double)upper;
    }
    for (corner = 0; corner < 1u << axes; corner++) {
        double weight = 1.0;
        size_t index = first;
        for (axis = 0; axis < axes; axis++) {
            if (corner >> axis & 1u) {
                weight *= (double)shares[axis];
                index += (size_t)p->grid_steps[axis];
            } else {
                weight *= 1.0 - (double)shares[axis];
            }
        }
        if (weight > 0.0) total += weight * (double)mf_value_at(p, row, index);
    }
    return total;
}

static int mf_is_recent(const mf_memory *c, uint32_t state, uint32_t memory) {
    uint32_t place;
    for (place = 0; place < memory; place++)
        if (c->recent[place] == (int32_t)state) return 1;
    return 0;
}

/* The state and the variant with the highest score; the first of equal ones. */
static void mf_choose(const mf_pack *p, const mf_memory *c, const mf_goal *g, uint32_t *best_state,
                      uint32_t *best_variant) {
    const mf_info *f = p->info;
    size_t count = f->state_count, base = (size_t)c->state * f->transition_count;
    uint32_t transition, other, variants = f->variant_count;
    double best = -HUGE_VAL, after[MF_MOST_AXES];
    float shares[MF_MOST_AXES];
    *best_state = p->targets ? (uint32_t)p->targets[base] : p->targets16[base];
    *best_variant = 0;
    for (transition = 0; transition < f->transition_count; transition++) {
        size_t at = base + transition, cost_at = (at * variants + c->variant) * variants;
        uint32_t chosen = p->targets ? (uint32_t)p->targets[at] : p->targets16[at];
        const double *outline = p->outlines + (size_t)chosen * MF_OUTLINE;
        int32_t label = p->labels ? p->labels[chosen] : -1;
        size_t following = chosen + 1 < count ? (size_t)chosen + 1 : count - 1;
        for (other = 0; other < variants; other++) {
            float jump = p->costs ? p->costs[cost_at + other] : p->cost_book[p->costs8[cost_at + other]];
            float cost = jump + (float)outline[MF_ROUGHNESS];
            double reward, value, later, score;
            if (cost >= MF_BLOCKED) continue;
            reward = mf_outcome(f, g, outline[MF_TURNS + other], outline, label, after);
            /* Not even the highest value could beat the best so far: skip the lookup. */
            if (reward - (double)cost + outline[MF_CEILING] < best) continue;
            value = mf_interpolated(p, following + count * other, mf_find_cell(p, after, shares), shares);
            later = (1.0 - f->goal_change) * value + f->goal_change * outline[MF_MEANS + other];
            score = reward - (double)cost + f->discount * later;
            if (score > best && mf_is_recent(c, (uint32_t)following, f->memory)) score -= MF_REPLAY;
            if (score > best) {
                best = score;
                *best_state = chosen;
                *best_variant = other;
            }
        }
    }
}
