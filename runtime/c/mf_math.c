/* Elementary functions that give the same bits with every compiler and on every platform.
 *
 * Libraries of C differ in the last bit of sin or exp, and a character that decides at every frame turns one bit into
 * another step. These are the methods and coefficients of FreeBSD's msun and of Cephes (tanh), reduced to the finite
 * arguments of this library. Results are within 1 unit in the last place of those of glibc (tanh: 2), sines of angles
 * beyond 1e6 excepted; tools/check_math.c measures it.
 *
 * Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun Microsystems,
 * Inc. business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 *
 * With MF_SYSTEM_MATH the functions of the system's <math.h> are used instead. That is for comparing with the Python
 * package, which uses them.
 */
#ifdef MF_SYSTEM_MATH

static void mf_sincos(double x, double *sine, double *cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}
static double mf_sin(double x) { return sin(x); }
static double mf_atan2(double y, double x) { return atan2(y, x); }
static double mf_acos(double x) { return acos(x); }
static double mf_exp(double x) { return exp(x); }
static double mf_tanh(double x) { return tanh(x); }
static double mf_hypot(double x, double y) { return hypot(x, y); }

#else

#define MF_PIO2_HI 1.57079632679489655800e+00
#define MF_PIO2_LO 6.12323399573676603587e-17

/* Quadrant of x modulo 4, and the rest y[0] + y[1] within pi / 4 of 0. */
static int mf_quadrant(double x, double *y) {
    const double part1 = 1.57079632673412561417e+00, part2 = 6.07710050630396597660e-11; /* 33 bits of pi / 2 each */
    const double tail = 2.02226624879595063154e-21;
    double turns, count, first, rest, error;
    if (!(fabs(x) <= 1e6)) {
        x = fmod(x, 4.0 * MF_PIO2_HI);
        if (x != x) { /* not finite: an integer could not hold the number of turns */
            y[0] = y[1] = x;
            return 0;
        }
    }
    turns = x * 6.36619772367581382433e-01;
    count = (double)(int32_t)(turns + (turns < 0.0 ? -0.5 : 0.5));
    first = x - count * part1;
    error = count * part2;
    rest = first - error;
    error = count * tail - ((first - rest) - error);
    y[0] = rest - error;
    y[1] = (rest - y[0]) - error;
    return (int)((int32_t)count & 3);
}

static double mf_sine_part(double x, double y) {
    double z = x * x, w = z * z, v = z * x;
    double r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
               z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}
static double mf_cosine_part(double x, double y) {
    double z = x * x, w = z * z, half = 0.5 * z, whole = 1.0 - half;
    double r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
               w * w * (-2.75573143513906633035e-07 +
                        z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    return whole + (((1.0 - whole) - half) + (z * r - x * y));
}
static void mf_sincos(double x, double *sine, double *cosine) {
    double y[2], s, c;
    int quadrant = mf_quadrant(x, y);
    s = mf_sine_part(y[0], y[1]);
    c = mf_cosine_part(y[0], y[1]);
    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    if (quadrant & 2) *sine = -*sine;
    if (quadrant == 1 || quadrant == 2) *cosine = -*cosine;
}
static double mf_sin(double x) {
    double s, c;
    mf_sincos(x, &s, &c);
    return s;
}

static double mf_atan(double x) { /* of x >= 0 */
    static const double high[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01,
                                  MF_PIO2_HI};
    static const double low[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17,
                                 MF_PIO2_LO};
    static const double t[] = {3.33333333333329318027e-01,  -1.99999999998764832476e-01, 1.42857142725034663711e-01,
                               -1.11111104054623557880e-01, 9.09088713343650656196e-02,  -7.69187620504482999495e-02,
                               6.66107313738753120669e-02,  -5.83357013379057348645e-02, 4.97687799461593236017e-02,
                               -3.65315727442169155270e-02, 1.62858201153657823623e-02};
    double z, w, even, odd;
    int part = -1;
    if (x > 1e18) return MF_PIO2_HI;
    if (x < 0.4375) part = -1;
    else if (x < 0.6875) { part = 0; x = (2.0 * x - 1.0) / (2.0 + x); }
    else if (x < 1.1875) { part = 1; x = (x - 1.0) / (x + 1.0); }
    else if (x < 2.4375) { part = 2; x = (x - 1.5) / (1.0 + 1.5 * x); }
    else { part = 3; x = -1.0 / x; }
    z = x * x;
    w = z * z;
    odd = z * (t[0] + w * (t[2] + w * (t[4] + w * (t[6] + w * (t[8] + w * t[10])))));
    even = w * (t[1] + w * (t[3] + w * (t[5] + w * (t[7] + w * t[9]))));
    if (part < 0) return x - x * (odd + even);
    return high[part] - ((x * (odd + even) - low[part]) - x);
}
static double mf_atan2(double y, double x) {
    double angle, size_y = fabs(y), size_x = fabs(x);
    if (size_y == 0.0) angle = 0.0;
    else if (size_x == 0.0) angle = MF_PIO2_HI;
    else angle = mf_atan(size_y / size_x);
    if (copysign(1.0, x) < 0.0) angle = 2.0 * MF_PIO2_HI - (angle - 2.0 * MF_PIO2_LO);
    return copysign(angle, y);
}

static double mf_asin_ratio(double z) {
    double p = z * (1.66666666666666657415e-01 +
                    z * (-3.25565818622400915405e-01 +
                         z * (2.01212532134862925881e-01 +
                              z * (-4.00555345006794114027e-02 +
                                   z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
    double q = 1.0 + z * (-2.40339491173441421878e+00 +
                          z * (2.02094576023350569471e+00 +
                               z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
    return p / q;
}
static double mf_acos(double x) { /* of -1 <= x <= 1 */
    double z, s, high, correction;
    uint64_t bits;
    if (fabs(x) < 0.5) return MF_PIO2_HI - (x - (MF_PIO2_LO - x * mf_asin_ratio(x * x)));
    if (x < 0.0) {
        z = (1.0 + x) * 0.5;
        s = sqrt(z);
        return 2.0 * (MF_PIO2_HI - (s + (mf_asin_ratio(z) * s - MF_PIO2_LO)));
    }
    if (x >= 1.0) return 0.0;
    z = (1.0 - x) * 0.5;
    s = sqrt(z);
    memcpy(&bits, &s, sizeof bits);
    bits &= 0xffffffff00000000u;
    memcpy(&high, &bits, sizeof bits);
    correction = (z - high * high) / (s + high);
    return 2.0 * (high + (mf_asin_ratio(z) * s + correction));
}

static double mf_exp(double x) {
    double k, high, low, r, square, c, result;
    uint64_t bits;
    if (!(x >= -700.0)) return x != x ? x : 0.0;
    if (x > 700.0) x = 700.0; /* springs never get here */
    k = (double)(int32_t)(1.44269504088896338700e+00 * x + (x < 0.0 ? -0.5 : 0.5));
    high = x - k * 6.93147180369123816490e-01;
    low = k * 1.90821492927058770002e-10;
    r = high - low;
    square = r * r;
    c = r - square * (1.66666666666666019037e-01 +
                      square * (-2.77777777770155933842e-03 +
                                square * (6.61375632143793436117e-05 +
                                          square * (-1.65339022054652515390e-06 + square * 4.13813679705723846039e-08))));
    result = 1.0 + (r * c / (2.0 - c) - low + high);
    bits = (uint64_t)(1023 + (int64_t)k) << 52; /* 2^k */
    memcpy(&c, &bits, sizeof bits);
    return result * c;
}
static double mf_tanh(double x) {
    double size = fabs(x), z = x * x;
    if (size > 20.0) return copysign(1.0, x);
    if (size >= 0.625) return copysign(1.0 - 2.0 / (mf_exp(2.0 * size) + 1.0), x);
    return x + x * z * ((-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3) /
                   (((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3);
}
static double mf_hypot(double x, double y) { return sqrt(x * x + y * y); }

#endif
