/* digest PACK [characters] [frames]: step characters that get new commands now and then, and print a digest of all bits
 * that were displayed. It must be the same for every compiler and platform. Also prints the time per character. */
#include "motionfields.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint32_t draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}
/* A number from a to b. */
static double between(uint32_t *seed, double a, double b) { return a + (b - a) * (draw(seed) / 16777216.0); }

static void add_bytes(uint64_t *digest, const void *bytes, size_t count) { /* FNV-1a */
    const unsigned char *b = (const unsigned char *)bytes;
    size_t k;
    for (k = 0; k < count; k++) *digest = (*digest ^ b[k]) * 1099511628211u;
}
static void *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    long length;
    void *bytes;
    if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0) return NULL;
    rewind(file);
    *size = (size_t)length;
    bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) return NULL;
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 64, frames = argc > 3 ? (uint32_t)atoi(argv[3]) : 300;
    uint32_t seed = 1, i, f, c, columns;
    uint64_t digest = 14695981039346656037u;
    size_t size = 0, needed;
    void *bytes = argc > 1 ? read_file(argv[1], &size) : NULL, *memory;
    double *commands, seconds = 0.0;
    mf_pack pack;
    mf_crowd crowd;
    mf_status status;
    if (!bytes) {
        fprintf(stderr, "usage: digest PACK [characters] [frames]\n");
        return 2;
    }
    status = mf_pack_open(&pack, bytes, size, 0);
    if (status != MF_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], mf_status_text(status));
        return 1;
    }
    columns = mf_command_count(&pack);
    needed = mf_crowd_size(&pack, count);
    memory = malloc(needed);
    commands = (double *)malloc(sizeof(double) * columns * count);
    if (!memory || !commands || mf_crowd_init(&crowd, &pack, memory, needed, count) != MF_OK) return 1;
    for (f = 0; f < frames; f++) {
        clock_t began;
        for (i = 0; i < count; i++) {
            if (f && draw(&seed) % 45) continue;
            for (c = 0; c < columns; c++) {
                const char *name = mf_command_name(&pack, c);
                double *number = commands + (size_t)columns * i + c;
                if (name[0] == 'p') *number = between(&seed, -5.0, 5.0);      /* point_x, point_z */
                else if (name[0] == 's') *number = between(&seed, 0.0, 1.5);  /* speed */
                else if (name[0] == 'g') *number = draw(&seed) % 2 ? 1.0 : 0.0; /* gait */
                else *number = between(&seed, -3.14, 3.14);                   /* heading, facing */
            }
        }
        began = clock();
        if (mf_crowd_step(&crowd, commands, 0, count) != MF_OK) return 1;
        mf_crowd_end_frame(&crowd);
        seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
        for (i = 0; i < count; i++) {
            add_bytes(&digest, mf_crowd_root(&crowd, i), 3 * sizeof(double));
            add_bytes(&digest, mf_crowd_rotations(&crowd, i), 4 * sizeof(double) * pack.info->joint_count);
        }
    }
    printf("%08lx%08lx\n", (unsigned long)(digest >> 32), (unsigned long)(digest & 0xffffffffu));
    fprintf(stderr, "%.3f us per character and frame\n", 1e6 * seconds / ((double)count * frames));
    free(commands);
    free(memory);
    free(bytes);
    return 0;
}
