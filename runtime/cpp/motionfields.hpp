// motionfields.hpp - the C runtime for C++17: owns memory, throws on errors, converts poses to the axes of engines.
//
//   motionfields::Pack pack(bytes);                       // std::vector of the bytes of a .mfpack
//   motionfields::Crowd crowd(pack, 100);
//   motionfields::Command command;                        // in the axes and units of the engine
//   command.heading = 45.0;
//   for (std::uint32_t i = 0; i < 100; i++) crowd.command(i, command, motionfields::Axes::unreal);
//   crowd.step();
//   motionfields::Pose pose = crowd.pose(0, motionfields::Axes::unreal);
//
// Compile runtime/c/motionfields.c as C and link it.
#pragma once

#include <cmath>
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

inline constexpr double degree = 3.14159265358979323846 / 180.0; // in radians

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
// Yaw angles of Unity and Unreal are degrees and turn right; those of the library are radians and turn left.
inline double converted_yaw(double yaw, Axes axes) { return axes == Axes::same ? yaw : -yaw / degree; }

// The way back, from the axes and units of the host to those of the library.
inline Vector restored(Vector v, Axes axes) {
    switch (axes) {
    case Axes::unity: return {-v.x, v.y, v.z};
    case Axes::unreal: return {-0.01 * v.y, 0.01 * v.z, 0.01 * v.x};
    default: return v;
    }
}
inline double restored_yaw(double yaw, Axes axes) { return axes == Axes::same ? yaw : -yaw * degree; }

// The command of one character, in the axes and units of the host; a task uses some of the members.
struct Command {
    double heading = 0.0, speed = 0.0, facing = 0.0; // yaw angles, and metres or centimetres per second
    Vector point{0.0, 0.0, 0.0};                     // of the line to follow
    int gait = 0;
};

class Error : public std::runtime_error {
public:
    explicit Error(mf_status given) : std::runtime_error(mf_status_text(given)), status(given) {}
    const mf_status status;
};
inline void throw_unless_ok(mf_status status) {
    if (status != MF_OK) throw Error(status);
}

// The bytes of a pack. Crowds refer to it, so it must outlive them and stay where it is.
class Pack {
public:
    explicit Pack(const std::vector<unsigned char> &bytes) : words_((bytes.size() + 7) / 8) {
        if (!bytes.empty()) std::memcpy(words_.data(), bytes.data(), bytes.size());
        throw_unless_ok(mf_pack_open(&pack_, words_.data(), bytes.size(), 0));
    }
    Pack(const Pack &) = delete;
    Pack &operator=(const Pack &) = delete;

    const mf_pack *get() const { return &pack_; }
    std::uint32_t joints() const { return mf_joint_count(&pack_); }
    double frame_time() const { return mf_frame_time(&pack_); } // seconds
    std::uint32_t columns() const { return mf_command_count(&pack_); }
    std::string command(std::uint32_t column) const { return text(mf_command_name(&pack_, column)); }
    std::string joint_name(std::uint32_t joint) const { return text(mf_joint_name(&pack_, joint)); }
    int parent(std::uint32_t joint) const { return mf_joint_parent(&pack_, joint); }
    // Offset of a joint from its parent, in the parent's frame.
    Vector offset(std::uint32_t joint, Axes axes = Axes::same) const {
        const double *o = mf_joint_offset(&pack_, joint);
        if (!o) throw Error(MF_OUT_OF_RANGE);
        return converted(Vector{o[0], o[1], o[2]}, axes);
    }
    // The number of a command that the library expects in `column`.
    double number(std::uint32_t column, const Command &given, Axes axes = Axes::same) const {
        const std::string name = command(column);
        if (name == "heading") return restored_yaw(given.heading, axes);
        if (name == "facing") return restored_yaw(given.facing, axes);
        if (name == "speed") return axes == Axes::unreal ? 0.01 * given.speed : given.speed;
        if (name == "point_x") return restored(given.point, axes).x;
        if (name == "point_z") return restored(given.point, axes).z;
        return given.gait;
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

// Place of a character on the ground, without the offset of the displayed pose: the transform of an actor.
struct Ground {
    Vector position;
    double yaw;
    Quaternion rotation;
};

class Crowd {
public:
    Crowd(const Pack &pack, std::uint32_t count)
        : pack_(&pack), count_(count), commands_(static_cast<std::size_t>(count) * pack.columns()) {
        const std::size_t size = mf_crowd_size(pack.get(), count);
        words_.resize((size + 7) / 8);
        throw_unless_ok(mf_crowd_init(&crowd_, pack.get(), words_.data(), 8 * words_.size(), count));
    }
    Crowd(const Crowd &) = delete;
    Crowd &operator=(const Crowd &) = delete;
    Crowd(Crowd &&) = default;
    Crowd &operator=(Crowd &&) = default;

    std::uint32_t count() const { return count_; }
    // Give character `i` a command, which holds until the next one.
    void command(std::uint32_t i, const Command &given, Axes axes = Axes::same) {
        if (i >= count_) throw Error(MF_OUT_OF_RANGE);
        for (std::uint32_t column = 0; column < pack_->columns(); column++)
            commands_[static_cast<std::size_t>(i) * pack_->columns() + column] = pack_->number(column, given, axes);
    }
    // Advance all characters by one frame of the pack.
    void step() {
        throw_unless_ok(mf_crowd_step(&crowd_, commands_.data(), 0, count_));
        mf_crowd_end_frame(&crowd_);
    }
    // Put a character elsewhere, facing a yaw angle.
    void place(std::uint32_t i, Vector position, double yaw, Axes axes = Axes::same) {
        const Vector p = restored(position, axes);
        throw_unless_ok(mf_crowd_place(&crowd_, i, p.x, p.z, restored_yaw(yaw, axes)));
    }
    void start(std::uint32_t i, std::uint32_t state) { throw_unless_ok(mf_crowd_start(&crowd_, i, state)); }
    void detail(std::uint32_t i, std::uint32_t every, bool plant) { throw_unless_ok(mf_crowd_detail(&crowd_, i, every, plant)); }
    mf_character look(std::uint32_t i) const {
        mf_character seen;
        throw_unless_ok(mf_crowd_look(&crowd_, i, &seen));
        return seen;
    }
    Ground ground(std::uint32_t i, Axes axes = Axes::same) const {
        const mf_character seen = look(i);
        const Quaternion turn{std::cos(0.5 * seen.facing), 0.0, std::sin(0.5 * seen.facing), 0.0};
        return {converted(Vector{seen.x, 0.0, seen.z}, axes), converted_yaw(seen.facing, axes), converted(turn, axes)};
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
        throw_unless_ok(mf_character_save(&crowd_, i, bytes.data(), bytes.size()));
        return bytes;
    }
    void load(std::uint32_t i, const std::vector<unsigned char> &bytes) {
        throw_unless_ok(mf_character_load(&crowd_, i, bytes.data(), bytes.size()));
    }

private:
    const Pack *pack_;
    std::uint32_t count_;
    std::vector<double> commands_; // [count, columns], in the library's axes and units
    std::vector<std::uint64_t> words_;
    mf_crowd crowd_{};
};

} // namespace motionfields
