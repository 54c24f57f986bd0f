// motionfields.hpp - the C runtime for C++17: owns memory, throws on errors, converts poses to the axes of engines.
//
//   motionfields::Pack pack(bytes);                       // std::vector of the bytes of a .mfpack
//   motionfields::Crowd crowd(pack, 100);
//   std::vector<double> commands(100 * pack.columns());   // headings in radians and so on, see pack.command(k)
//   crowd.step(commands);
//   motionfields::Pose pose = crowd.pose(0, motionfields::Axes::unreal);
//
// Compile runtime/c/motionfields.c as C and link it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "motionfields.h"

namespace motionfields {

struct Vector {
    double x, y, z;
};
struct Quaternion {
    double w, x, y, z;
};

// Axes and units of the host. The library itself is right-handed, y up, facing +z with +x to the left, in metres;
// glTF and Godot agree with it. Unity is left-handed with +x to the right. Unreal is left-handed, z up, facing +x with
// +y to the right, in centimetres.
enum class Axes { same, unity, unreal };

inline Vector converted(Vector v, Axes axes) {
    switch (axes) {
    case Axes::unity: return {-v.x, v.y, v.z};
    case Axes::unreal: return {100.0 * v.z, -100.0 * v.x, 100.0 * v.y};
    default: return v;
    }
}
// Both changes of axes are mirror images, which also reverse the sense of rotation.
inline Quaternion converted(Quaternion q, Axes axes) {
    switch (axes) {
    case Axes::unity: return {q.w, q.x, -q.y, -q.z};
    case Axes::unreal: return {q.w, -q.z, q.x, -q.y};
    default: return q;
    }
}

class Error : public std::runtime_error {
public:
    explicit Error(mf_status given) : std::runtime_error(mf_status_text(given)), status(given) {}
    const mf_status status;
};
inline void check(mf_status status) {
    if (status != MF_OK) throw Error(status);
}

// The bytes of a pack. Crowds refer to it, so it must outlive them and stay where it is.
class Pack {
public:
    explicit Pack(const std::vector<unsigned char> &bytes) : words_((bytes.size() + 7) / 8) {
        if (!bytes.empty()) std::memcpy(words_.data(), bytes.data(), bytes.size());
        check(mf_pack_open(&pack_, words_.data(), bytes.size(), 0));
    }
    Pack(const Pack &) = delete;
    Pack &operator=(const Pack &) = delete;

    const mf_pack *get() const { return &pack_; }
    std::uint32_t joints() const { return pack_.info->joint_count; }
    double frame_time() const { return pack_.info->frame_time; } // seconds
    std::uint32_t columns() const { return mf_command_count(&pack_); }
    std::string command(std::uint32_t column) const { return text(mf_command_name(&pack_, column)); }
    std::string joint_name(std::uint32_t joint) const { return text(mf_joint_name(&pack_, joint)); }
    int parent(std::uint32_t joint) const { return joint < joints() ? pack_.parents[joint] : -1; }
    // Offset of a joint from its parent at rest, in the parent's frame.
    Vector offset(std::uint32_t joint, Axes axes = Axes::same) const {
        if (joint >= joints()) throw Error(MF_OUT_OF_RANGE);
        const double *o = pack_.offsets + 3 * static_cast<std::size_t>(joint);
        return converted(Vector{o[0], o[1], o[2]}, axes);
    }

private:
    static std::string text(const char *given) {
        if (!given) throw Error(MF_OUT_OF_RANGE);
        return given;
    }
    std::vector<std::uint64_t> words_; // aligned to 8 bytes
    mf_pack pack_{};
};

struct Pose {
    Vector root;
    std::vector<Quaternion> rotations; // from joint to parent; the first from root to world
};

class Crowd {
public:
    Crowd(const Pack &pack, std::uint32_t count) : pack_(&pack), count_(count) {
        const std::size_t size = mf_crowd_size(pack.get(), count);
        words_.resize((size + 7) / 8);
        check(mf_crowd_init(&crowd_, pack.get(), words_.data(), 8 * words_.size(), count));
    }
    Crowd(const Crowd &) = delete;
    Crowd &operator=(const Crowd &) = delete;
    Crowd(Crowd &&) = default;
    Crowd &operator=(Crowd &&) = default;

    std::uint32_t count() const { return count_; }
    // Commands [count, columns], in radians, metres and m/s of the library's own axes.
    void step(const std::vector<double> &commands) {
        if (commands.size() != static_cast<std::size_t>(count_) * pack_->columns()) throw Error(MF_OUT_OF_RANGE);
        check(mf_crowd_step(&crowd_, commands.data(), 0, count_));
        mf_crowd_end_frame(&crowd_);
    }
    void place(std::uint32_t i, double x, double z, double facing) { check(mf_crowd_place(&crowd_, i, x, z, facing)); }
    void start(std::uint32_t i, std::uint32_t state) { check(mf_crowd_start(&crowd_, i, state)); }
    void detail(std::uint32_t i, std::uint32_t every, bool plant) { check(mf_crowd_detail(&crowd_, i, every, plant)); }
    mf_character look(std::uint32_t i) const {
        mf_character seen;
        check(mf_crowd_look(&crowd_, i, &seen));
        return seen;
    }
    Pose pose(std::uint32_t i, Axes axes = Axes::same) const {
        const double *root = mf_crowd_root(&crowd_, i), *from = mf_crowd_rotations(&crowd_, i);
        if (!root) throw Error(MF_OUT_OF_RANGE);
        Pose pose{converted(Vector{root[0], root[1], root[2]}, axes), {}};
        pose.rotations.reserve(pack_->joints());
        for (std::size_t j = 0; j < pack_->joints(); j++, from += 4)
            pose.rotations.push_back(converted(Quaternion{from[0], from[1], from[2], from[3]}, axes));
        return pose;
    }
    // For rollback and replays.
    std::vector<unsigned char> save(std::uint32_t i) const {
        std::vector<unsigned char> bytes(mf_character_size(pack_->get()));
        check(mf_character_save(&crowd_, i, bytes.data(), bytes.size()));
        return bytes;
    }
    void load(std::uint32_t i, const std::vector<unsigned char> &bytes) {
        check(mf_character_load(&crowd_, i, bytes.data(), bytes.size()));
    }

private:
    const Pack *pack_;
    std::uint32_t count_;
    std::vector<std::uint64_t> words_;
    mf_crowd crowd_{};
};

} // namespace motionfields
