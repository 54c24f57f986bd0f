/* threads PACK [frames]: two threads step halves of one crowd, and each a crowd of its own, on one pack. Compile with
 * -fsanitize=thread. Fails unless the bits are those of one thread. POSIX threads. */
#define _POSIX_C_SOURCE 200809L
#include "motionfields.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 8 };
typedef struct {
    mf_crowd *shared, own;
    const double *commands;
    uint32_t first;
} work;

static void *step(void *given) {
    work *mine = (work *)given;
    if (mf_crowd_step(mine->shared, mine->commands, mine->first, COUNT / 2) != MF_OK) abort();
    if (mf_crowd_step(&mine->own, mine->commands, 0, COUNT) != MF_OK) abort();
    mf_crowd_end_frame(&mine->own);
    return NULL;
}
static mf_crowd new_crowd(const mf_pack *pack) {
    size_t needed = mf_crowd_size(pack, COUNT);
    mf_crowd crowd;
    if (mf_crowd_init(&crowd, pack, malloc(needed), needed, COUNT) != MF_OK) abort();
    return crowd;
}

int main(int argc, char **argv) {
    uint32_t frames = argc > 2 ? (uint32_t)atoi(argv[2]) : 200, f, i;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    double commands[4 * COUNT];
    work works[2];
    mf_crowd shared, alone;
    mf_pack pack;
    void *bytes;
    long size;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0) return 2;
    rewind(file);
    bytes = malloc((size_t)size);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) return 2;
    fclose(file);
    if (mf_pack_open(&pack, bytes, (size_t)size, 0) != MF_OK) return 1;
    shared = new_crowd(&pack);
    alone = new_crowd(&pack);
    for (i = 0; i < 2; i++) {
        works[i].shared = &shared;
        works[i].own = new_crowd(&pack);
        works[i].commands = commands;
        works[i].first = i * COUNT / 2;
    }
    for (f = 0; f < frames; f++) {
        pthread_t threads[2];
        for (i = 0; i < 4 * COUNT; i++) commands[i] = (double)((f / 30 * 7 + i * 5) % 13) / 4.0 - 1.5;
        for (i = 0; i < 2; i++)
            if (pthread_create(&threads[i], NULL, step, &works[i])) return 2;
        for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        mf_crowd_end_frame(&shared);
        if (mf_crowd_step(&alone, commands, 0, COUNT) != MF_OK) return 1;
        mf_crowd_end_frame(&alone);
        if (memcmp(shared.memory, alone.memory, alone.stride * COUNT) != 0 ||
            memcmp(works[0].own.memory, alone.memory, alone.stride * COUNT) != 0) {
            printf("frame %lu differs\n", (unsigned long)f);
            return 1;
        }
    }
    printf("%lu frames are the same on two threads\n", (unsigned long)frames);
    return 0;
}
