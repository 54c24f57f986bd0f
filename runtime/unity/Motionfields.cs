// The C runtime for C#, with poses, places and commands in Unity's axes and units. Needs no Unity.
//
//   using (var pack = new Pack(File.ReadAllBytes("walker.mfpack")))
//   using (var crowd = new Crowd(pack, 100)) {
//       crowd.Command(0, new Command { Heading = 45.0 });   // degrees to the right
//       crowd.Step();                                       // once per pack.FrameTime seconds
//       Vec3 root = crowd.Root(0);                          // metres
//       crowd.Rotations(0, rotations);                      // Quat[pack.Joints.Length]
//   }
//
// The library is right-handed, y up, facing +z with +x to the left. Unity is left-handed with +x to the right.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Motionfields {
    public struct Vec3 {
        public double X, Y, Z;
        public Vec3(double x, double y, double z) { X = x; Y = y; Z = z; }
    }

    public struct Quat {
        public double W, X, Y, Z;
        public Quat(double w, double x, double y, double z) { W = w; X = x; Y = y; Z = z; }
    }

    /// <summary>Conversion between the library's axes and units and those of Unity: a mirror image in x.</summary>
    public static class Axes {
        const double Degree = Math.PI / 180.0;
        /// <summary>Positions; the same both ways.</summary>
        public static Vec3 Converted(Vec3 v) { return new Vec3(-v.X, v.Y, v.Z); }
        /// <summary>Rotations; the same both ways. A mirror image reverses the sense of rotation.</summary>
        public static Quat Converted(Quat q) { return new Quat(q.W, q.X, -q.Y, -q.Z); }
        /// <summary>Yaw in degrees, positive to the right, from radians, positive to the left.</summary>
        public static double UnityYaw(double radians) { return -radians / Degree; }
        public static double LibraryYaw(double degrees) { return -degrees * Degree; }
    }

    /// <summary>The command of one character in Unity's axes and units; a task uses some of the members.</summary>
    public struct Command {
        public double Heading, Facing; // degrees, positive to the right
        public double Speed;           // metres per second
        public Vec3 Point;             // of the line to follow
        public int Gait;
    }

    /// <summary>Place on the ground in Unity's axes and units, without the offset of the displayed pose.</summary>
    public struct Ground {
        public Vec3 Position;
        public double Yaw; // degrees, positive to the right
        public uint State;
        public bool LeftLocked, RightLocked;
    }

    public struct Joint {
        public string Name;
        public int Parent;  // comes before the joint; -1 for the root
        public Vec3 Offset; // metres from the parent in the parent's frame, in Unity's axes
    }

    public sealed class RuntimeException : Exception {
        public readonly int Status;
        public RuntimeException(int status) : base(Native.Text(Native.mf_status_text(status))) { Status = status; }
    }

    static class Native {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Library = "__Internal";
#else
        const string Library = "motionfields";
#endif
        const CallingConvention C = CallingConvention.Cdecl;
        public const int OutOfRange = 9;
        [StructLayout(LayoutKind.Sequential)]
        public struct Character {
            public double X, Z, Facing;
            public uint State, Variant, Locked;
        }
        [DllImport(Library, CallingConvention = C)] public static extern UIntPtr mf_sizeof_pack();
        [DllImport(Library, CallingConvention = C)] public static extern UIntPtr mf_sizeof_crowd();
        [DllImport(Library, CallingConvention = C)] public static extern int mf_pack_open(IntPtr pack, IntPtr bytes, UIntPtr size, uint flags);
        [DllImport(Library, CallingConvention = C)] public static extern IntPtr mf_status_text(int status);
        [DllImport(Library, CallingConvention = C)] public static extern uint mf_command_count(IntPtr pack);
        [DllImport(Library, CallingConvention = C)] public static extern IntPtr mf_command_name(IntPtr pack, uint column);
        [DllImport(Library, CallingConvention = C)] public static extern double mf_frame_time(IntPtr pack);
        [DllImport(Library, CallingConvention = C)] public static extern uint mf_joint_count(IntPtr pack);
        [DllImport(Library, CallingConvention = C)] public static extern IntPtr mf_joint_name(IntPtr pack, uint joint);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_joint_parent(IntPtr pack, uint joint);
        [DllImport(Library, CallingConvention = C)] public static extern IntPtr mf_joint_offset(IntPtr pack, uint joint);
        [DllImport(Library, CallingConvention = C)] public static extern UIntPtr mf_crowd_size(IntPtr pack, uint count);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_crowd_init(IntPtr crowd, IntPtr pack, IntPtr memory, UIntPtr size, uint count);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_crowd_start(IntPtr crowd, uint i, uint state);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_crowd_place(IntPtr crowd, uint i, double x, double z, double facing);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_crowd_detail(IntPtr crowd, uint i, uint every, int plant);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_crowd_step(IntPtr crowd, double[] commands, uint first, uint count);
        [DllImport(Library, CallingConvention = C)] public static extern void mf_crowd_end_frame(IntPtr crowd);
        [DllImport(Library, CallingConvention = C)] public static extern IntPtr mf_crowd_root(IntPtr crowd, uint i);
        [DllImport(Library, CallingConvention = C)] public static extern IntPtr mf_crowd_rotations(IntPtr crowd, uint i);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_crowd_look(IntPtr crowd, uint i, out Character seen);
        [DllImport(Library, CallingConvention = C)] public static extern UIntPtr mf_character_size(IntPtr pack);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_character_save(IntPtr crowd, uint i, byte[] bytes, UIntPtr size);
        [DllImport(Library, CallingConvention = C)] public static extern int mf_character_load(IntPtr crowd, uint i, byte[] bytes, UIntPtr size);
        public static void Check(int status, IDisposable unusable = null) {
            if (status != 0 && unusable != null) unusable.Dispose();
            if (status != 0) throw new RuntimeException(status);
        }
        public static string Text(IntPtr text) {
            var bytes = new List<byte>();
            for (byte b; (b = Marshal.ReadByte(text, bytes.Count)) != 0;) bytes.Add(b);
            return Encoding.UTF8.GetString(bytes.ToArray());
        }
        public static IntPtr Memory(UIntPtr size) { return Marshal.AllocHGlobal(new IntPtr(checked((long)size.ToUInt64()))); }
    }

    /// <summary>An open pack, which several crowds may use. Dispose of it after them.</summary>
    public sealed class Pack : IDisposable {
        internal IntPtr Handle { get; private set; }
        IntPtr content;
        public readonly double FrameTime; // seconds
        public readonly string[] CommandNames;
        public readonly Joint[] Joints;
        public Pack(byte[] bytes) {
            Handle = Native.Memory(Native.mf_sizeof_pack());
            content = Marshal.AllocHGlobal(Math.Max(bytes.Length, 1));
            Marshal.Copy(bytes, 0, content, bytes.Length);
            int status = Native.mf_pack_open(Handle, content, new UIntPtr((uint)bytes.Length), 0);
            Native.Check(status, this);
            FrameTime = Native.mf_frame_time(Handle);
            CommandNames = new string[Native.mf_command_count(Handle)];
            for (uint k = 0; k < CommandNames.Length; k++) CommandNames[k] = Native.Text(Native.mf_command_name(Handle, k));
            Joints = new Joint[Native.mf_joint_count(Handle)];
            var offset = new double[3];
            for (uint j = 0; j < Joints.Length; j++) {
                Marshal.Copy(Native.mf_joint_offset(Handle, j), offset, 0, 3);
                Joints[j].Name = Native.Text(Native.mf_joint_name(Handle, j));
                Joints[j].Parent = Native.mf_joint_parent(Handle, j);
                Joints[j].Offset = Axes.Converted(new Vec3(offset[0], offset[1], offset[2]));
            }
        }
        public void Dispose() {
            Marshal.FreeHGlobal(Handle);
            Marshal.FreeHGlobal(content);
            Handle = content = IntPtr.Zero;
        }
    }

    /// <summary>Characters of one pack. They begin at the origin; Command holds until the next one.</summary>
    public sealed class Crowd : IDisposable {
        readonly Pack pack;
        readonly double[] commands, root = new double[3], rotations;
        IntPtr handle, memory;
        public readonly int Count;
        public Crowd(Pack pack, int count) {
            this.pack = pack;
            Count = count;
            commands = new double[count * pack.CommandNames.Length];
            rotations = new double[4 * pack.Joints.Length];
            UIntPtr size = Native.mf_crowd_size(pack.Handle, (uint)count);
            handle = Native.Memory(Native.mf_sizeof_crowd());
            memory = Native.Memory(size);
            int status = Native.mf_crowd_init(handle, pack.Handle, memory, size, (uint)count);
            Native.Check(status, this);
        }
        public void Command(int i, Command given) {
            Vec3 point = Axes.Converted(given.Point);
            for (int k = 0; k < pack.CommandNames.Length; k++) {
                double number = given.Gait;
                switch (pack.CommandNames[k]) {
                    case "heading": number = Axes.LibraryYaw(given.Heading); break;
                    case "facing": number = Axes.LibraryYaw(given.Facing); break;
                    case "speed": number = given.Speed; break;
                    case "point_x": number = point.X; break;
                    case "point_z": number = point.Z; break;
                }
                commands[i * pack.CommandNames.Length + k] = number;
            }
        }
        /// <summary>Advance all characters by one frame of the pack.</summary>
        public void Step() { Step(commands); }
        /// <summary>The same with commands [character, column] in the library's own axes and units.</summary>
        public void Step(double[] given) {
            if (given.Length != commands.Length) throw new RuntimeException(Native.OutOfRange);
            Native.Check(Native.mf_crowd_step(handle, given, 0, (uint)Count));
            Native.mf_crowd_end_frame(handle);
        }
        /// <summary>Copy the displayed pose [3], [joint, 4] wxyz in the library's own axes.</summary>
        public void Read(int i, double[] rootInto, double[] rotationsInto) {
            IntPtr from = Native.mf_crowd_root(handle, (uint)i);
            if (from == IntPtr.Zero) throw new RuntimeException(Native.OutOfRange);
            Marshal.Copy(from, rootInto, 0, 3);
            Marshal.Copy(Native.mf_crowd_rotations(handle, (uint)i), rotationsInto, 0, rotations.Length);
        }
        /// <summary>Displayed position of the root in the world.</summary>
        public Vec3 Root(int i) {
            Read(i, root, rotations);
            return Axes.Converted(new Vec3(root[0], root[1], root[2]));
        }
        /// <summary>Displayed rotations from joint to parent; the first from root to world.</summary>
        public void Rotations(int i, Quat[] into) {
            Read(i, root, rotations);
            for (int j = 0, k = 0; j < pack.Joints.Length; j++, k += 4)
                into[j] = Axes.Converted(new Quat(rotations[k], rotations[k + 1], rotations[k + 2], rotations[k + 3]));
        }
        public Ground Look(int i) {
            Native.Character seen;
            Native.Check(Native.mf_crowd_look(handle, (uint)i, out seen));
            return new Ground {
                Position = Axes.Converted(new Vec3(seen.X, 0.0, seen.Z)), Yaw = Axes.UnityYaw(seen.Facing), State = seen.State,
                LeftLocked = (seen.Locked & 1) != 0, RightLocked = (seen.Locked & 2) != 0,
            };
        }
        /// <summary>Put a character elsewhere, facing a yaw in degrees.</summary>
        public void Place(int i, Vec3 position, double yaw) {
            Vec3 there = Axes.Converted(position);
            Native.Check(Native.mf_crowd_place(handle, (uint)i, there.X, there.Z, Axes.LibraryYaw(yaw)));
        }
        public void Start(int i, int state) { Native.Check(Native.mf_crowd_start(handle, (uint)i, (uint)state)); }
        /// <summary>Level of detail: frames from one decision to the next, and whether feet are locked.</summary>
        public void Detail(int i, int every, bool plant) { Native.Check(Native.mf_crowd_detail(handle, (uint)i, (uint)every, plant ? 1 : 0)); }
        /// <summary>Bytes of a character, for rollback and replays.</summary>
        public byte[] Save(int i) {
            var bytes = new byte[Native.mf_character_size(pack.Handle).ToUInt64()];
            Native.Check(Native.mf_character_save(handle, (uint)i, bytes, new UIntPtr((uint)bytes.Length)));
            return bytes;
        }
        public void Load(int i, byte[] bytes) { Native.Check(Native.mf_character_load(handle, (uint)i, bytes, new UIntPtr((uint)bytes.Length))); }
        public void Dispose() {
            Marshal.FreeHGlobal(handle);
            Marshal.FreeHGlobal(memory);
            handle = memory = IntPtr.Zero;
        }
    }
}
