/* Layouts that several files share, vectors, quaternions (wxyz) and easing curves. */

#define MF_PI 3.14159265358979323846
#define MF_GUESSES 64 /* equal parts of an axis of the grid, for a first guess of the cell */

/* Columns of an outline: velocity to the left and ahead and roughness cost of a state; the turn of each variant; the
 * mean value of the state that each variant leads to; an upper bound on the discounted future. */
enum { MF_LEFT, MF_AHEAD, MF_ROUGHNESS, MF_TURNS, MF_MEANS = 5, MF_CEILING = 7, MF_OUTLINE };

typedef struct { double x, y, z; } mf_vec;
typedef struct { double w, x, y, z; } mf_quat;

/* One foot between frames. Animated: x, y, z of its ball, yaw and pitch. Shown: x, y, z, and its rotation vector from
 * the animated foot. Index 0 of both is the latest frame. */
enum { MF_X, MF_Y, MF_Z, MF_YAW, MF_PITCH, MF_ANIMATED };
enum { MF_TURN = 3, MF_SHOWN = 6 };
typedef struct {
    double vote, wait, clearance[2], anchor[4], lean[2];
    double animated[2][MF_ANIMATED], shown[2][MF_SHOWN];
    double fade_clock, fade_time[MF_SHOWN], fade[2][MF_SHOWN]; /* offset and its rate, when it began to fade */
    uint32_t locked, reserved;
} mf_foot;

/* One character; in memory its offset [joint + 1, 3], rate [joint + 1, 3] and rotations [joint, 4] follow. Part 0 of
 * offset and rate is the position of the root, part 1 its turn, and the joints but the root follow. */
typedef struct {
    uint32_t checksum, state, variant, every, plants, has_history; /* has_history: feet were locked in a frame before */
    int32_t recent[MF_MEMORY];                                     /* states shown, newest first; -1 before the start */
    double position[2], yaw, spin, stretch, root[3];
    double root_velocity[2], drop[2]; /* of the shift towards locked feet; lowered pelvis and its rate */
    mf_foot feet[2];
} mf_memory;

static mf_memory *mf_memory_of(const mf_crowd *crowd, uint32_t i) {
    return (mf_memory *)(void *)(crowd->memory + crowd->stride * i);
}
static size_t mf_part_count(const mf_pack *p) { return (size_t)p->info->joint_count + 1; }
static double *mf_offsets(mf_memory *c) { return (double *)(void *)(c + 1); }
static double *mf_rates(const mf_pack *p, mf_memory *c) { return mf_offsets(c) + 3 * mf_part_count(p); }
static double *mf_rotations(const mf_pack *p, mf_memory *c) { return mf_offsets(c) + 6 * mf_part_count(p); }

static double mf_min(double a, double b) { return b < a ? b : a; }
static double mf_max(double a, double b) { return b > a ? b : a; }

static mf_vec mf_vec3(double x, double y, double z) {
    mf_vec v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}
static mf_quat mf_quat4(double w, double x, double y, double z) {
    mf_quat q;
    q.w = w;
    q.x = x;
    q.y = y;
    q.z = z;
    return q;
}
static mf_vec mf_vec_at(const double *a) { return mf_vec3(a[0], a[1], a[2]); }
static mf_quat mf_quat_at(const double *a) { return mf_quat4(a[0], a[1], a[2], a[3]); }
static mf_quat mf_quat_atf(const float *a) { return mf_quat4(a[0], a[1], a[2], a[3]); }
static void mf_put(mf_quat q, double *out) {
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}
static mf_vec mf_add(mf_vec a, mf_vec b) { return mf_vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static mf_vec mf_sub(mf_vec a, mf_vec b) { return mf_vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static mf_vec mf_scale(mf_vec a, double f) { return mf_vec3(a.x * f, a.y * f, a.z * f); }
static double mf_dot(mf_vec a, mf_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static mf_vec mf_cross(mf_vec a, mf_vec b) {
    return mf_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static double mf_length(mf_vec a) { return sqrt(mf_dot(a, a)); }

static mf_quat mf_mul(mf_quat a, mf_quat b) { /* b first, then a */
    return mf_quat4(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}
static mf_quat mf_conjugate(mf_quat q) { return mf_quat4(q.w, -q.x, -q.y, -q.z); }
static mf_quat mf_unit(mf_quat q) {
    double f = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return mf_quat4(q.w * f, q.x * f, q.y * f, q.z * f);
}
static mf_vec mf_rotate(mf_quat q, mf_vec v) {
    mf_vec axis = mf_vec3(q.x, q.y, q.z), twice = mf_scale(mf_cross(axis, v), 2.0);
    return mf_add(mf_add(v, mf_scale(twice, q.w)), mf_cross(axis, twice));
}
static mf_quat mf_about(mf_vec axis, double angle) {
    double s, c;
    mf_sincos(0.5 * angle, &s, &c);
    return mf_quat4(c, axis.x * s, axis.y * s, axis.z * s);
}
static mf_quat mf_about_up(double angle) { return mf_about(mf_vec3(0.0, 1.0, 0.0), angle); }
static mf_quat mf_between(mf_vec a, mf_vec b) { /* the smallest rotation from the direction of a to that of b */
    double lengths = mf_length(a) * mf_length(b), real;
    mf_vec axis;
    if (lengths <= 0.0) return mf_quat4(1.0, 0.0, 0.0, 0.0);
    axis = mf_cross(a, b);
    real = lengths + mf_dot(a, b);
    if (real <= 1e-12 * lengths) { /* opposite: half a turn about a perpendicular axis */
        if (fabs(a.z) < 0.9 * mf_length(a)) return mf_unit(mf_quat4(0.0, -a.y, a.x, 0.0));
        return mf_unit(mf_quat4(0.0, 0.0, -a.z, a.y));
    }
    return mf_unit(mf_quat4(real, axis.x, axis.y, axis.z));
}
static mf_quat mf_exponential(mf_vec v) { /* of a rotation vector */
    double angle = mf_length(v), s, c, f;
    mf_sincos(0.5 * angle, &s, &c);
    f = angle > 1e-4 ? s / angle : 0.5 - angle * angle / 48.0;
    return mf_quat4(c, f * v.x, f * v.y, f * v.z);
}
static mf_vec mf_logarithm(mf_quat q) {
    double sign = q.w >= 0.0 ? 1.0 : -1.0, sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z), f = sign * 2.0;
    if (sine > 1e-4) f *= mf_atan2(sine, sign * q.w) / sine;
    return mf_vec3(f * q.x, f * q.y, f * q.z);
}
static mf_quat mf_twist_about_up(mf_quat q) {
    double size = mf_hypot(q.w, q.y);
    return size > 1e-9 ? mf_quat4(q.w / size, 0.0, q.y / size, 0.0) : mf_quat4(1.0, 0.0, 0.0, 0.0);
}

/* Angles into (-pi, pi]: of any size, and of at most one turn outside. */
static double mf_wrap(double angle) {
    double rest = fmod(MF_PI - angle, 2.0 * MF_PI), wrapped;
    if (rest < 0.0) rest += 2.0 * MF_PI;
    wrapped = MF_PI - rest;
    return wrapped <= -MF_PI ? MF_PI : wrapped;
}
static double mf_wrap_once(double angle) {
    if (angle > MF_PI) return angle - 2.0 * MF_PI;
    if (angle <= -MF_PI) return angle + 2.0 * MF_PI;
    return angle;
}
static double mf_nearest_turn(double yaw, double near) {
    return yaw - 2.0 * MF_PI * floor((yaw - near) / (2.0 * MF_PI) + 0.5);
}

static double mf_smoothstep(double x) {
    double u = mf_min(mf_max(x, 0.0), 1.0);
    return u * u * (3.0 - 2.0 * u);
}
static double mf_soft_positive(double x, double softness) { /* max(x, 0) with a rounded corner */
    if (x <= -softness) return 0.0;
    if (x >= softness) return x;
    return (x + softness) * (x + softness) / (4.0 * softness);
}
static double mf_fading(double share, double value, double rate) { /* a quintic that rests at zero from share 1 on */
    double u = mf_min(mf_max(share, 0.0), 1.0), left = 1.0 - u;
    double start = value * (1.0 + 3.0 * u + 6.0 * u * u) + rate * u * (1.0 + 3.0 * u);
    return left * left * left * start;
}
/* One frame of a critically damped spring that lags its goal by `duration` seconds. */
static void mf_damped(double *value, double *rate, double goal, double duration, double frame_time) {
    double stiffness = 2.0 / duration, off = *value - goal, push = *rate + stiffness * off;
    double decay = mf_exp(-stiffness * frame_time);
    *value = goal + (off + push * frame_time) * decay;
    *rate = (*rate - stiffness * push * frame_time) * decay;
}
