// A component that moves the rigs of a scene. Compiled here against stand-ins for Unity's types; not run inside Unity.
using System.Linq;
using UnityEngine;

namespace Motionfields {
    public sealed class MotionfieldsCrowd : MonoBehaviour {
        [Tooltip("A .mfpack file, renamed to .bytes")] public TextAsset packFile;
        [Tooltip("Rigs in their bind pose; bones are found by the names of joints, missing ones are made")]
        public Transform[] characters;
        Pack pack;
        Crowd crowd;
        Transform[][] bones;  // [character, joint]
        Quaternion[][] binds; // rotations of the bones in the bind pose, relative to the character
        Quat[] rotations;
        Quaternion[] world;
        double due; // seconds that have not been computed yet

        /// <summary>Give character i a command, which holds until the next one.</summary>
        public void Command(int i, Command given) { crowd.Command(i, given); }

        void OnEnable() {
            pack = new Pack(packFile.bytes);
            crowd = new Crowd(pack, characters.Length);
            rotations = new Quat[pack.Joints.Length];
            world = new Quaternion[pack.Joints.Length];
            bones = characters.Select(Bones).ToArray();
            binds = characters.Select((c, i) => bones[i].Select(b => Quaternion.Inverse(c.rotation) * b.rotation).ToArray()).ToArray();
            for (int i = 0; i < characters.Length; i++) {
                Vector3 at = characters[i].position;
                float yaw = characters[i].eulerAngles.y;
                crowd.Place(i, new Vec3(at.x, at.y, at.z), yaw);
                crowd.Command(i, new Command { Heading = yaw, Facing = yaw, Point = new Vec3(at.x, at.y, at.z) });
            }
        }
        Transform[] Bones(Transform character) {
            var found = new Transform[pack.Joints.Length];
            for (int j = 0; j < found.Length; j++) {
                Joint joint = pack.Joints[j];
                found[j] = character.GetComponentsInChildren<Transform>().FirstOrDefault(t => t.name == joint.Name);
                if (found[j] != null) continue;
                found[j] = new GameObject(joint.Name).transform;
                found[j].SetParent(joint.Parent < 0 ? character : found[joint.Parent], false);
                found[j].localPosition = Unity(joint.Offset);
            }
            return found;
        }
        void Update() {
            for (due += Time.deltaTime; due >= pack.FrameTime; due -= pack.FrameTime) crowd.Step();
            for (int i = 0; i < characters.Length; i++) Show(i);
        }
        void Show(int i) {
            Ground ground = crowd.Look(i);
            characters[i].SetPositionAndRotation(Unity(ground.Position), Quaternion.Euler(0.0f, (float)ground.Yaw, 0.0f));
            crowd.Rotations(i, rotations);
            for (int j = 0; j < world.Length; j++) {
                var local = new Quaternion((float)rotations[j].X, (float)rotations[j].Y, (float)rotations[j].Z, (float)rotations[j].W);
                int parent = pack.Joints[j].Parent;
                world[j] = parent < 0 ? local : world[parent] * local;
                bones[i][j].rotation = world[j] * binds[i][j];
            }
            bones[i][0].position = Unity(crowd.Root(i));
        }
        static Vector3 Unity(Vec3 v) { return new Vector3((float)v.X, (float)v.Y, (float)v.Z); }
        void OnDisable() { crowd.Dispose(); pack.Dispose(); }
    }
}
