/* soak PACK [characters] [frames]: step characters that get new commands now and then, and check every number of every
 * pose. Prints the time per character and frame, the memory of the process and the largest distance from the origin, in
 * the first and in the last hundredth of the frames, or in 50 frames. Exits with 1 at a number that is not finite or a rotation that is
 * not a unit quaternion. */
#include "motionfields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 88172645463325252u;
static double between(double a, double b) { /* xorshift */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return a + (b - a) * ((double)(state >> 40) / 16777216.0);
}
/* KiB of data of this process in memory, where /proc says so; otherwise 0. */
static long resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long all = 0, held = 0, shared = 0;
    if (!file) return 0;
    if (fscanf(file, "%ld %ld %ld", &all, &held, &shared) != 3) held = shared;
    fclose(file);
    return (held - shared) * 4;
}
static void give_commands(const mf_pack *pack, double *commands, uint32_t count, int all) {
    uint32_t i, c, columns = mf_command_count(pack);
    for (i = 0; i < count; i++) {
        if (!all && between(0.0, 45.0) >= 1.0) continue;
        for (c = 0; c < columns; c++) {
            const char *name = mf_command_name(pack, c);
            double *number = commands + (size_t)columns * i + c;
            if (name[0] == 'p') *number = between(-50.0, 50.0);                          /* point_x, point_z */
            else if (name[0] == 's') *number = between(0.0, 1.5);                        /* speed */
            else if (name[0] == 'g') *number = between(0.0, 2.0) < 1.0 ? 0.0 : 1.0;      /* gait */
            else *number = between(-3.14, 3.14);                                         /* heading, facing */
        }
    }
}
/* Check the pose of a character; returns 0 if it is wrong. */
static int sound(const mf_crowd *crowd, uint32_t i, double *furthest) {
    const double *root = mf_crowd_root(crowd, i), *q = mf_crowd_rotations(crowd, i);
    uint32_t joint, joints = mf_joint_count(crowd->pack);
    double away = fabs(root[0]) > fabs(root[2]) ? fabs(root[0]) : fabs(root[2]);
    if (!(away < 1e9) || !(fabs(root[1]) < 10.0)) return 0; /* written so that NaN fails too */
    if (away > *furthest) *furthest = away;
    for (joint = 0; joint < joints; joint++, q += 4)
        if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-6)) return 0;
    return 1;
}

int main(int argc, char **argv) {
    uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 1000, i;
    unsigned long frames = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000, part = frames / 100, f;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    double *commands, furthest = 0.0, seconds = 0.0;
    size_t size, needed;
    void *bytes, *memory;
    mf_pack pack;
    mf_crowd crowd;
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "usage: soak PACK [characters] [frames]\n");
        return 2;
    }
    size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(size + 1);
    if (!bytes || fread(bytes, 1, size, file) != size || mf_pack_open(&pack, bytes, size, 0) != MF_OK) return 2;
    fclose(file);
    needed = mf_crowd_size(&pack, count);
    memory = malloc(needed);
    commands = (double *)malloc(sizeof(double) * mf_command_count(&pack) * count);
    if (!memory || !commands || mf_crowd_init(&crowd, &pack, memory, needed, count) != MF_OK) return 2;
    if (part < 50) part = 50; /* by then every page of memory was used */
    for (f = 0; f < frames; f++) {
        clock_t began;
        give_commands(&pack, commands, count, f == 0);
        if (f % part == 0) seconds = 0.0;
        began = clock();
        if (mf_crowd_step(&crowd, commands, 0, count) != MF_OK) return 1;
        mf_crowd_end_frame(&crowd);
        seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
        for (i = 0; i < count; i++)
            if (!sound(&crowd, i, &furthest)) {
                printf("character %lu at frame %lu has a wrong pose\n", (unsigned long)i, f);
                return 1;
            }
        if (f + 1 == part || (f + 1 == frames && f + 1 > part)) {
            double each = seconds / (double)(f % part + 1) / count;
            printf("frame %lu: %.2f us per character and frame, %ld KiB, at most %.0f m from the origin\n", f + 1,
                   1e6 * each, resident(), furthest);
            fflush(stdout);
        }
    }
    printf("%.0f characters times frames, every number finite and every rotation of unit length\n", (double)count * (double)frames);
    free(commands);
    free(memory);
    free(bytes);
    return 0;
}
