// check PACK [characters] [frames]: check conversions against numbers known in engines and on whole poses, then print
// the digest of runtime/c/tools/digest.c, computed through the C++ header.
#define check(expression) "the header must not use the macros of Unreal"
#define ensure(expression) "nor this one"
#define verify(expression) "nor this one"
#include "motionfields.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace motionfields;

static void require(bool holds, const char *what) {
    if (holds) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
}
static double apart(Vector a, Vector b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }
static double apart(Quaternion a, Quaternion b) { return std::hypot(apart(Vector{a.x, a.y, a.z}, {b.x, b.y, b.z}), a.w - b.w); }

// FRotator::Quaternion of Unreal, and Quaternion.Euler of Unity; degrees.
static Quaternion unreal_rotator(double pitch, double yaw, double roll) {
    const double sp = std::sin(pitch * degree / 2.0), sy = std::sin(yaw * degree / 2.0), sr = std::sin(roll * degree / 2.0);
    const double cp = std::cos(pitch * degree / 2.0), cy = std::cos(yaw * degree / 2.0), cr = std::cos(roll * degree / 2.0);
    return {cr * cp * cy + sr * sp * sy, cr * sp * sy - sr * cp * cy, -cr * sp * cy - sr * cp * sy, cr * cp * sy - sr * sp * cy};
}
static Quaternion unity_euler(double x, double y, double z) {
    const double sx = std::sin(x * degree / 2.0), sy = std::sin(y * degree / 2.0), sz = std::sin(z * degree / 2.0);
    const double cx = std::cos(x * degree / 2.0), cy = std::cos(y * degree / 2.0), cz = std::cos(z * degree / 2.0);
    return {cy * cx * cz + sy * sx * sz, cy * sx * cz + sy * cx * sz, sy * cx * cz - cy * sx * sz, cy * cx * sz - sy * sx * cz};
}

static void check_numbers() {
    const Vector place{1.0, 2.0, 3.0}; // 1 m to the left, 2 m up, 3 m ahead
    require(apart(converted(place, Axes::unity), Vector{-1.0, 2.0, 3.0}) == 0.0, "a position in Unity");
    require(apart(converted(place, Axes::unreal), Vector{300.0, -100.0, 200.0}) == 0.0, "a position in Unreal");
    for (const Axes axes : {Axes::same, Axes::unity, Axes::unreal}) {
        require(apart(restored(converted(place, axes), axes), place) < 1e-12, "a position there and back");
        require(std::fabs(restored_yaw(converted_yaw(0.7, axes), axes) - 0.7) < 1e-12, "an angle there and back");
    }
    require(std::fabs(converted_yaw(30.0 * degree, Axes::unreal) + 30.0) < 1e-12, "a turn to the left is negative");
    // Turn 30 degrees left, lean 50 degrees forward, tilt 70 degrees to the right, each alone.
    const Quaternion left{std::cos(15.0 * degree), 0.0, std::sin(15.0 * degree), 0.0};
    const Quaternion forward{std::cos(25.0 * degree), std::sin(25.0 * degree), 0.0, 0.0};
    const Quaternion right{std::cos(35.0 * degree), 0.0, 0.0, std::sin(35.0 * degree)};
    require(apart(converted(left, Axes::unity), unity_euler(0.0, -30.0, 0.0)) < 1e-12, "a turn in Unity");
    require(apart(converted(forward, Axes::unity), unity_euler(50.0, 0.0, 0.0)) < 1e-12, "a lean in Unity");
    require(apart(converted(right, Axes::unity), unity_euler(0.0, 0.0, -70.0)) < 1e-12, "a tilt in Unity");
    require(apart(converted(left, Axes::unreal), unreal_rotator(0.0, -30.0, 0.0)) < 1e-12, "a turn in Unreal");
    require(apart(converted(forward, Axes::unreal), unreal_rotator(-50.0, 0.0, 0.0)) < 1e-12, "a lean in Unreal");
    require(apart(converted(right, Axes::unreal), unreal_rotator(0.0, 0.0, 70.0)) < 1e-12, "a tilt in Unreal");
}

static Vector rotated(Quaternion q, Vector v) {
    const Vector t{2.0 * (q.y * v.z - q.z * v.y), 2.0 * (q.z * v.x - q.x * v.z), 2.0 * (q.x * v.y - q.y * v.x)};
    return {v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
            v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}
// World position of a joint.
static Vector place_of(const Pack &pack, const Pose &pose, std::uint32_t joint, Axes axes) {
    if (pack.parent(joint) < 0) return pose.root;
    const auto parent = static_cast<std::uint32_t>(pack.parent(joint));
    Vector v = pack.offset(joint, axes);
    for (int above = static_cast<int>(parent); above >= 0; above = pack.parent(static_cast<std::uint32_t>(above)))
        v = rotated(pose.rotations[static_cast<std::size_t>(above)], v);
    const Vector base = place_of(pack, pose, parent, axes);
    return {base.x + v.x, base.y + v.y, base.z + v.z};
}
// Commands, places and poses of a crowd that is used in the axes of an engine agree with those in the library's.
static void check_crowd(const Pack &pack, Axes axes) {
    Crowd plain(pack, 1), there(pack, 1);
    plain.place(0, Vector{1.0, 0.0, 3.0}, 0.5);
    there.place(0, converted(Vector{1.0, 0.0, 3.0}, axes), converted_yaw(0.5, axes), axes);
    Command command, engine;
    command.heading = 0.75, command.facing = -0.5, command.speed = 1.25, command.point = {2.0, 0.0, -4.0};
    engine.heading = converted_yaw(0.75, axes), engine.facing = converted_yaw(-0.5, axes);
    engine.speed = axes == Axes::unreal ? 125.0 : 1.25, engine.point = converted(command.point, axes);
    plain.command(0, command);
    there.command(0, engine, axes);
    for (int frame = 0; frame < 30; frame++) plain.step(), there.step();
    const Pose pose = plain.pose(0), converted_pose = there.pose(0, axes);
    for (std::uint32_t joint = 0; joint < pack.joints(); joint++) {
        const Vector expected = converted(place_of(pack, pose, joint, Axes::same), axes);
        require(apart(place_of(pack, converted_pose, joint, axes), expected) < 1e-6, "a pose in an engine's axes");
    }
    const Ground ground = there.ground(0, axes);
    const Vector ahead = converted(rotated(plain.ground(0).rotation, Vector{0.0, 0.0, 1.0}), axes);
    require(apart(rotated(ground.rotation, converted(Vector{0.0, 0.0, 1.0}, axes)), ahead) < 1e-6, "a facing");
    require(apart(ground.position, converted(plain.ground(0).position, axes)) < 1e-6, "a place on the ground");
}

static std::uint32_t seed = 1;
static std::uint32_t draw() {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}
static double between(double a, double b) { return a + (b - a) * (draw() / 16777216.0); }
static void add(std::uint64_t &digest, double number) { // FNV-1a
    unsigned char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    for (const unsigned char byte : bytes) digest = (digest ^ byte) * 1099511628211u;
}
static std::uint64_t digest(const Pack &pack, std::uint32_t count, std::uint32_t frames) {
    Crowd crowd(pack, count);
    std::uint64_t found = 14695981039346656037u;
    for (std::uint32_t frame = 0; frame < frames; frame++) {
        for (std::uint32_t i = 0; i < count; i++) {
            if (frame && draw() % 45) continue;
            Command command;
            for (std::uint32_t column = 0; column < pack.columns(); column++) {
                const std::string name = pack.command(column);
                if (name == "point_x") command.point.x = between(-5.0, 5.0);
                else if (name == "point_z") command.point.z = between(-5.0, 5.0);
                else if (name == "speed") command.speed = between(0.0, 1.5);
                else if (name == "gait") command.gait = draw() % 2 ? 1 : 0;
                else (name == "heading" ? command.heading : command.facing) = between(-3.14, 3.14);
            }
            crowd.command(i, command);
        }
        crowd.step();
        for (std::uint32_t i = 0; i < count; i++) {
            const Pose pose = crowd.pose(i);
            for (const double number : {pose.root.x, pose.root.y, pose.root.z}) add(found, number);
            for (const Quaternion q : pose.rotations)
                for (const double number : {q.w, q.x, q.y, q.z}) add(found, number);
        }
    }
    return found;
}

int main(int argc, char **argv) try {
    std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
    const Pack pack({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    check_numbers();
    for (const Axes axes : {Axes::same, Axes::unity, Axes::unreal}) check_crowd(pack, axes);
    Crowd crowd(pack, 2);
    const auto kept = crowd.save(0);
    crowd.step();
    crowd.load(0, kept);
    crowd.start(0, crowd.look(0).state);
    crowd.detail(0, 2, false);
    bool refused = false;
    try {
        crowd.place(2, Vector{0.0, 0.0, 0.0}, 0.0);
    } catch (const Error &error) {
        refused = error.status == MF_OUT_OF_RANGE;
    }
    require(refused, "a character that does not exist");
    const auto number = [&](int k, int usual) { return static_cast<std::uint32_t>(argc > k ? std::atoi(argv[k]) : usual); };
    std::printf("%016llx\n", static_cast<unsigned long long>(digest(pack, number(2, 64), number(3, 300))));
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
