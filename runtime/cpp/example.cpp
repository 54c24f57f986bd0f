// example PACK: step ten characters for three seconds, and check that poses keep their shape in the axes of engines.
#include "motionfields.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace motionfields;

static Vector rotated(Quaternion q, Vector v) {
    const Vector t{2.0 * (q.y * v.z - q.z * v.y), 2.0 * (q.z * v.x - q.x * v.z), 2.0 * (q.x * v.y - q.y * v.x)};
    return {v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
            v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

// World position of the last joint on the way down to `joint`.
static Vector place_of(const Pack &pack, const Pose &pose, std::uint32_t joint, Axes axes) {
    if (pack.parent(joint) < 0) return pose.root;
    const auto parent = static_cast<std::uint32_t>(pack.parent(joint));
    Vector v = pack.offset(joint, axes);
    for (int above = static_cast<int>(parent); above >= 0; above = pack.parent(static_cast<std::uint32_t>(above)))
        v = rotated(pose.rotations[static_cast<std::size_t>(above)], v);
    const Vector base = place_of(pack, pose, parent, axes);
    return {base.x + v.x, base.y + v.y, base.z + v.z};
}

int main(int argc, char **argv) try {
    std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
    const Pack pack({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    Crowd crowd(pack, 10);
    std::vector<double> commands(10 * pack.columns(), 0.5);
    const auto kept = crowd.save(3);
    for (int frame = 0; frame < 90; frame++) crowd.step(commands);
    const Pose before = crowd.pose(3);
    double apart = 0.0;
    for (const Axes axes : {Axes::same, Axes::unity, Axes::unreal})
        for (std::uint32_t joint = 0; joint < pack.joints(); joint++) {
            const Vector there = converted(place_of(pack, before, joint, Axes::same), axes);
            const Vector here = place_of(pack, crowd.pose(3, axes), joint, axes);
            apart = std::fmax(apart, std::hypot(there.x - here.x, there.y - here.y, there.z - here.z));
        }
    crowd.load(3, kept);
    crowd.start(3, crowd.look(3).state);
    std::printf("%s: %u joints, root %.3f %.3f %.3f, axes within %.1e\n", pack.command(0).c_str(), pack.joints(),
                before.root.x, before.root.y, before.root.z, apart);
    try {
        crowd.place(10, 0.0, 0.0, 0.0);
        return 1;
    } catch (const Error &error) {
        return error.status == MF_OUT_OF_RANGE && apart < 1e-9 ? 0 : 1;
    }
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
