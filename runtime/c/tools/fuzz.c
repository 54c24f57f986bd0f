/* fuzz PACK SEED SECONDS [CASES]: open damaged versions of a pack and step characters of those that open.
 * Compile with -fsanitize=address,undefined. Prints the number of cases and how many opened. */
#include "../motionfields.c"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;
static uint32_t draw(uint32_t end) { /* xorshift; 0 to end - 1 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 20) % end);
}

/* Overwrite a number of 1, 2, 4 or 8 bytes by one that is near a limit. */
static void spoil(unsigned char *b, size_t size, size_t at) {
    static const double reals[] = {0.0, -1.0, 1.0, 1e-300, 1e9, -1e9, 1e300, HUGE_VAL, -HUGE_VAL, 1e-9, 0.5, 3.2};
    static const uint32_t integers[] = {0,          1,          2,      3,      15,         16,         255, 256,
                                        0x7fffffffu, 0x80000000u, 0xffffu, 65536u, 0xffffffffu, 0xfffffffeu, 64,  20};
    double real = reals[draw(sizeof reals / sizeof reals[0])];
    float single = (float)(draw(2) ? real : 0.0 / (real - real));
    uint32_t integer = integers[draw(sizeof integers / sizeof integers[0])], kind = draw(7);
    if (kind == 0) b[at] = (unsigned char)draw(256);
    else if (kind == 1) b[at] = (unsigned char)(b[at] ^ 1u << draw(8));
    else if (kind == 2 && at + 4 <= size) memcpy(b + at / 4 * 4, &integer, 4);
    else if (kind == 3 && at + 8 <= size) memcpy(b + at / 8 * 8, &real, 8);
    else if (kind == 4 && at + 4 <= size) memcpy(b + at / 4 * 4, &single, 4);
    else if (kind == 5 && at + 72 <= size) memmove(b + at, b + draw((uint32_t)(size - 64)), 1 + draw(64));
    else if (at + 4 <= size) {
        memcpy(&integer, b + at / 4 * 4, 4);
        integer += draw(3) - 1;
        memcpy(b + at / 4 * 4, &integer, 4);
    }
}
/* A damaged copy with, mostly, a checksum that fits. */
static unsigned char *damaged(const unsigned char *good, size_t *size) {
    size_t head = sizeof(mf_header) + 24 * sizeof(mf_entry) + sizeof(mf_info), k, count = 1 + draw(4);
    unsigned char *b;
    mf_header header;
    if (draw(50) == 0) *size -= draw((uint32_t)*size);
    b = (unsigned char *)malloc(*size ? *size : 1);
    if (!b) exit(1);
    memcpy(b, good, *size);
    if (*size <= head) return b;
    for (k = 0; k < count; k++) {
        uint32_t place = draw(10);
        if (place < 2) spoil(b, *size, draw((uint32_t)sizeof(mf_header)));
        else if (place < 7) spoil(b, *size, sizeof(mf_header) + draw((uint32_t)(head - sizeof(mf_header))));
        else spoil(b, *size, draw((uint32_t)*size));
    }
    if (draw(20)) {
        memcpy(&header, b, sizeof header);
        if (draw(8)) memcpy(&header, good, sizeof header);
        header.size = *size;
        header.checksum = mf_crc32(b + sizeof header, *size - sizeof header);
        memcpy(b, &header, sizeof header);
    }
    return b;
}
static void use(const mf_pack *pack) {
    enum { CHARACTERS = 3 };
    size_t needed = mf_crowd_size(pack, CHARACTERS), saved = mf_character_size(pack);
    void *memory = malloc(needed), *kept = malloc(saved);
    double commands[4 * CHARACTERS];
    float root[3], rotations[4 * MF_MOST_JOINTS];
    mf_character look;
    mf_crowd crowd;
    uint32_t frame, k, frames = 1 + draw(24), joint;
    if (!memory || !kept || mf_crowd_init(&crowd, pack, memory, needed, CHARACTERS) != MF_OK) exit(1);
    for (joint = 0; mf_joint_name(pack, joint); joint++)
        if (!(mf_joint_offset(pack, joint)[0] < HUGE_VAL) || mf_joint_parent(pack, joint) >= (int32_t)joint) abort();
    if (joint != mf_joint_count(pack)) abort();
    for (frame = 0; frame < frames; frame++) {
        for (k = 0; k < 4 * CHARACTERS; k++) commands[k] = (double)draw(2000) / 200.0 - 5.0;
        if (draw(30) == 0) commands[draw(4 * CHARACTERS)] = draw(2) ? 1e12 : -1e12;
        if (draw(10) == 0) mf_crowd_detail(&crowd, draw(CHARACTERS), 1 + draw(4), (int)draw(2));
        if (draw(10) == 0) mf_crowd_start(&crowd, draw(CHARACTERS), draw(pack->info->state_count));
        if (draw(10) == 0) mf_crowd_place(&crowd, draw(CHARACTERS), 1e9, -1e9, 1e9);
        if (mf_crowd_step(&crowd, commands, 0, CHARACTERS) != MF_OK) abort();
        mf_crowd_end_frame(&crowd);
        if (draw(10) == 0) { /* a saved character, mostly damaged behind its checksum */
            mf_character_save(&crowd, 0, kept, saved);
            if (draw(4)) {
                uint64_t sum;
                spoil((unsigned char *)kept, saved - 8, draw((uint32_t)saved - 8));
                sum = mf_crc32((const unsigned char *)kept, saved - 8);
                memcpy((unsigned char *)kept + saved - 8, &sum, sizeof sum);
            }
            mf_character_load(&crowd, 1, kept, saved);
        }
    }
    for (k = 0; k < CHARACTERS; k++)
        if (mf_crowd_pose(&crowd, k, root, rotations) != MF_OK || mf_crowd_look(&crowd, k, &look) != MF_OK) abort();
    free(memory);
    free(kept);
}

int main(int argc, char **argv) {
    unsigned long cases = 0, opened = 0, most = argc > 4 ? strtoul(argv[4], NULL, 10) : (unsigned long)-1;
    FILE *file = argc > 3 ? fopen(argv[1], "rb") : NULL;
    unsigned char *good;
    size_t whole;
    time_t end;
    if (!file || fseek(file, 0, SEEK_END)) return 2;
    whole = (size_t)ftell(file);
    rewind(file);
    good = (unsigned char *)malloc(whole);
    if (!good || fread(good, 1, whole, file) != whole) return 2;
    fclose(file);
    state = 88172645463325252u + 7919u * (uint64_t)strtoul(argv[2], NULL, 10);
    end = time(NULL) + (time_t)strtoul(argv[3], NULL, 10);
    for (; cases < most && (cases % 64 || time(NULL) < end); cases++) {
        size_t size = whole;
        unsigned char *b = damaged(good, &size);
        mf_pack pack;
        if (mf_pack_open(&pack, b, size, 0) == MF_OK) {
            opened++;
            use(&pack);
        }
        free(b);
    }
    printf("%lu packs, %lu opened\n", cases, opened);
    free(good);
    return 0;
}
