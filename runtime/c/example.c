/* Steps the characters of a pack for four seconds and prints where they are.
 *
 *     cc -O2 -o example example.c motionfields.c -lm && ./example walker.mfpack
 */
#include "motionfields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3, FRAMES = 120 };

/* Returns the bytes of a file, aligned as malloc aligns, or NULL. */
static void *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    void *bytes = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0 && (bytes = malloc((size_t)length)) != NULL) {
        *size = fread(bytes, 1, (size_t)length, file);
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    size_t size = 0;
    void *bytes = argc == 2 ? read_file(argv[1], &size) : NULL;
    mf_pack pack;
    if (bytes == NULL || mf_pack_open(&pack, bytes, size, 0) != MF_OK) {
        fprintf(stderr, "usage: example PACK, a file that `motionfields export` wrote\n");
        return 1;
    }
    size_t needed = mf_crowd_size(&pack, COUNT);
    void *memory = malloc(needed);
    mf_crowd crowd;
    if (memory == NULL || mf_crowd_init(&crowd, &pack, memory, needed, COUNT) != MF_OK) return 1;

    /* One row of commands per character: turn each to another heading, and walk at 1 m/s where speed is a command. */
    uint32_t columns = mf_command_count(&pack);
    double *commands = calloc(COUNT * columns, sizeof *commands);
    if (commands == NULL) return 1;
    for (uint32_t i = 0; i < COUNT * columns; i++) {
        const char *name = mf_command_name(&pack, i % columns);
        if (strcmp(name, "heading") == 0) commands[i] = 0.5 * (double)(i / columns);
        if (strcmp(name, "speed") == 0) commands[i] = 1.0;
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        mf_crowd_step(&crowd, commands, 0, COUNT);
        mf_crowd_end_frame(&crowd);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const double *root = mf_crowd_root(&crowd, i);
        printf("character %u: x %.2f m, z %.2f m\n", i, root[0], root[2]);
    }
    free(commands);
    free(memory);
    free(bytes);
    return 0;
}
