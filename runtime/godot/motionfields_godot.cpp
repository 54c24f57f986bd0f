// MotionfieldsCrowd for Godot 4: characters of a pack that move skeletons. Godot's axes and units are those of the
// library: right-handed, y up, metres, radians; models face +z (Vector3.MODEL_FRONT) and positive yaw turns left.
#include "motionfields.h"

#include <functional>
#include <vector>

#include <godot_cpp/classes/ref_counted.hpp>
#include <godot_cpp/classes/skeleton3d.hpp>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/variant/utility_functions.hpp>

using namespace godot;

class MotionfieldsCrowd : public RefCounted {
    GDCLASS(MotionfieldsCrowd, RefCounted)

    std::vector<uint64_t> content, memory; // aligned to 8 bytes
    std::vector<double> commands;          // [character, column]
    mf_pack pack{};
    mf_crowd crowd{};
    bool opened = false;

    // Whether `status` is fine; otherwise say what is wrong.
    bool fine(mf_status status) const {
        if (status != MF_OK) UtilityFunctions::push_error("motionfields: ", String::utf8(mf_status_text(status)));
        return status == MF_OK;
    }
    bool has(int64_t i) const {
        return fine(opened && i >= 0 && i < static_cast<int64_t>(crowd.count) ? MF_OK : MF_OUT_OF_RANGE);
    }
    static Quaternion quaternion(const double *q) { // wxyz
        return Quaternion(static_cast<real_t>(q[1]), static_cast<real_t>(q[2]), static_cast<real_t>(q[3]),
                          static_cast<real_t>(q[0]));
    }
    static Vector3 vector(const double *v) {
        return Vector3(static_cast<real_t>(v[0]), static_cast<real_t>(v[1]), static_cast<real_t>(v[2]));
    }

protected:
    static void _bind_methods() {
        ClassDB::bind_method(D_METHOD("open", "bytes", "count"), &MotionfieldsCrowd::open);
        ClassDB::bind_method(D_METHOD("command", "i", "numbers"), &MotionfieldsCrowd::command);
        ClassDB::bind_method(D_METHOD("step"), &MotionfieldsCrowd::step);
        ClassDB::bind_method(D_METHOD("place", "i", "position", "yaw"), &MotionfieldsCrowd::place);
        ClassDB::bind_method(D_METHOD("ground", "i"), &MotionfieldsCrowd::ground);
        ClassDB::bind_method(D_METHOD("root", "i"), &MotionfieldsCrowd::root);
        ClassDB::bind_method(D_METHOD("rotation", "i", "joint"), &MotionfieldsCrowd::rotation);
        ClassDB::bind_method(D_METHOD("make_bones", "skeleton"), &MotionfieldsCrowd::make_bones);
        ClassDB::bind_method(D_METHOD("pose", "i", "skeleton"), &MotionfieldsCrowd::pose);
        ClassDB::bind_method(D_METHOD("save", "i"), &MotionfieldsCrowd::save);
        ClassDB::bind_method(D_METHOD("load", "i", "bytes"), &MotionfieldsCrowd::load);
        ClassDB::bind_method(D_METHOD("frame_time"), &MotionfieldsCrowd::frame_time);
        ClassDB::bind_method(D_METHOD("command_names"), &MotionfieldsCrowd::command_names);
        ClassDB::bind_method(D_METHOD("joint_names"), &MotionfieldsCrowd::joint_names);
    }

public:
    // Open the content of a .mfpack file and put `count` characters at the origin.
    bool open(const PackedByteArray &bytes, int64_t count) {
        opened = false;
        content.assign((static_cast<size_t>(bytes.size()) + 7) / 8, 0);
        if (bytes.size() > 0) memcpy(content.data(), bytes.ptr(), static_cast<size_t>(bytes.size()));
        if (!fine(mf_pack_open(&pack, content.data(), static_cast<size_t>(bytes.size()), 0))) return false;
        if (!fine(count > 0 && count <= 100000 ? MF_OK : MF_OUT_OF_RANGE)) return false;
        memory.assign((mf_crowd_size(&pack, static_cast<uint32_t>(count)) + 7) / 8, 0);
        commands.assign(static_cast<size_t>(count) * mf_command_count(&pack), 0.0);
        return opened = fine(mf_crowd_init(&crowd, &pack, memory.data(), 8 * memory.size(), static_cast<uint32_t>(count)));
    }
    // Give character `i` the numbers of a command by name, for example {"heading": 0.5, "speed": 1.2}. They hold until
    // they are given again.
    void command(int64_t i, const Dictionary &numbers) {
        if (!has(i)) return;
        for (uint32_t k = 0; k < mf_command_count(&pack); k++)
            if (const String name = mf_command_name(&pack, k); numbers.has(name))
                commands[static_cast<size_t>(i) * mf_command_count(&pack) + k] = numbers[name];
    }
    // Advance all characters by one frame, which has frame_time() seconds.
    void step() {
        if (!fine(opened ? mf_crowd_step(&crowd, commands.data(), 0, crowd.count) : MF_OUT_OF_RANGE)) return;
        mf_crowd_end_frame(&crowd);
    }
    void place(int64_t i, const Vector3 &position, double yaw) {
        if (has(i)) fine(mf_crowd_place(&crowd, static_cast<uint32_t>(i), position.x, position.z, yaw));
    }
    // Place and facing on the ground, without the offset of the displayed pose.
    Transform3D ground(int64_t i) const {
        mf_character seen;
        if (!has(i) || !fine(mf_crowd_look(&crowd, static_cast<uint32_t>(i), &seen))) return Transform3D();
        const Basis turn(Vector3(0, 1, 0), static_cast<real_t>(seen.facing));
        return Transform3D(turn, Vector3(static_cast<real_t>(seen.x), 0, static_cast<real_t>(seen.z)));
    }
    // Displayed root position in the world.
    Vector3 root(int64_t i) const { return has(i) ? vector(mf_crowd_root(&crowd, static_cast<uint32_t>(i))) : Vector3(); }
    // Displayed rotation of a joint, to its parent; that of joint 0 to the world.
    Quaternion rotation(int64_t i, int64_t joint) const {
        if (!has(i) || !fine(joint >= 0 && joint < mf_joint_count(&pack) ? MF_OK : MF_OUT_OF_RANGE)) return Quaternion();
        return quaternion(mf_crowd_rotations(&crowd, static_cast<uint32_t>(i)) + 4 * joint);
    }
    // Add the joints of the pack to an empty skeleton.
    void make_bones(Skeleton3D *skeleton) const {
        if (!fine(opened && skeleton ? MF_OK : MF_OUT_OF_RANGE)) return;
        for (uint32_t joint = 0; joint < mf_joint_count(&pack); joint++) {
            skeleton->add_bone(String::utf8(mf_joint_name(&pack, joint)));
            skeleton->set_bone_parent(static_cast<int32_t>(joint), mf_joint_parent(&pack, joint));
            skeleton->set_bone_rest(static_cast<int32_t>(joint), Transform3D(Basis(), vector(mf_joint_offset(&pack, joint))));
        }
    }
    // Pose a skeleton whose rest pose is that of the pack's skeleton, and put its node on the ground. Bones are found by
    // the names of joints; the others keep their rest.
    void pose(int64_t i, Skeleton3D *skeleton) const {
        if (!has(i) || !fine(skeleton ? MF_OK : MF_OUT_OF_RANGE)) return;
        const Transform3D from_world = ground(i).affine_inverse();
        std::vector<Quaternion> turned(mf_joint_count(&pack)); // joints, to the axes of the skeleton's node
        std::vector<int64_t> joint_of(static_cast<size_t>(skeleton->get_bone_count()), -1);
        for (uint32_t joint = 0; joint < turned.size(); joint++) {
            const int32_t parent = mf_joint_parent(&pack, joint);
            const Quaternion above = parent < 0 ? from_world.basis.get_quaternion() : turned[static_cast<size_t>(parent)];
            turned[joint] = above * rotation(i, joint);
            const int32_t bone = skeleton->find_bone(String::utf8(mf_joint_name(&pack, joint)));
            if (bone >= 0) joint_of[static_cast<size_t>(bone)] = joint;
        }
        // Rotation of a bone to the skeleton's node: the joint's turn after that of the rest pose.
        const std::function<Quaternion(int32_t)> posed = [&](int32_t bone) -> Quaternion {
            if (bone < 0) return Quaternion();
            const int64_t joint = joint_of[static_cast<size_t>(bone)];
            if (joint < 0) return posed(skeleton->get_bone_parent(bone)) * skeleton->get_bone_rest(bone).basis.get_quaternion();
            return turned[static_cast<size_t>(joint)] * skeleton->get_bone_global_rest(bone).basis.get_quaternion();
        };
        for (int32_t bone = 0; bone < skeleton->get_bone_count(); bone++) {
            if (joint_of[static_cast<size_t>(bone)] < 0) continue;
            const int32_t parent = skeleton->get_bone_parent(bone);
            skeleton->set_bone_pose_rotation(bone, posed(parent).inverse() * posed(bone));
            if (joint_of[static_cast<size_t>(bone)] > 0) continue;
            const Transform3D above = parent < 0 ? Transform3D() : skeleton->get_bone_global_rest(parent);
            skeleton->set_bone_pose_position(bone, above.affine_inverse().xform(from_world.xform(root(i))));
        }
        skeleton->set_global_transform(ground(i));
    }
    // Bytes of a character, for rollback and replays.
    PackedByteArray save(int64_t i) const {
        PackedByteArray bytes;
        if (!has(i)) return bytes;
        bytes.resize(static_cast<int64_t>(mf_character_size(&pack)));
        fine(mf_character_save(&crowd, static_cast<uint32_t>(i), bytes.ptrw(), mf_character_size(&pack)));
        return bytes;
    }
    void load(int64_t i, const PackedByteArray &bytes) {
        if (has(i)) fine(mf_character_load(&crowd, static_cast<uint32_t>(i), bytes.ptr(), static_cast<size_t>(bytes.size())));
    }
    double frame_time() const { return opened ? mf_frame_time(&pack) : 0.0; }
    PackedStringArray command_names() const {
        PackedStringArray names;
        for (uint32_t k = 0; opened && k < mf_command_count(&pack); k++) names.push_back(mf_command_name(&pack, k));
        return names;
    }
    PackedStringArray joint_names() const {
        PackedStringArray names;
        for (uint32_t j = 0; opened && j < mf_joint_count(&pack); j++) names.push_back(String::utf8(mf_joint_name(&pack, j)));
        return names;
    }
};

static void register_types(ModuleInitializationLevel level) {
    if (level == MODULE_INITIALIZATION_LEVEL_SCENE) ClassDB::register_class<MotionfieldsCrowd>();
}
static void unregister_types(ModuleInitializationLevel) {}

extern "C" GDExtensionBool GDE_EXPORT motionfields_init(GDExtensionInterfaceGetProcAddress get_proc_address,
                                                        GDExtensionClassLibraryPtr library,
                                                        GDExtensionInitialization *initialization) {
    GDExtensionBinding::InitObject init(get_proc_address, library, initialization);
    init.register_initializer(register_types);
    init.register_terminator(unregister_types);
    init.set_minimum_library_initialization_level(MODULE_INITIALIZATION_LEVEL_SCENE);
    return init.init();
}
