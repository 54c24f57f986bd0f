// Check.exe PACK [characters] [frames]: check conversions against numbers known in Unity, then print the digest of
// runtime/c/tools/digest.c, computed through Motionfields.cs. Not part of a Unity project.
using System;
using System.IO;
using Motionfields;

static class Check {
    static void Require(bool holds, string what) { if (!holds) throw new Exception("wrong: " + what); }
    static double Apart(Vec3 a, Vec3 b) { return Math.Abs(a.X - b.X) + Math.Abs(a.Y - b.Y) + Math.Abs(a.Z - b.Z); }
    static double Apart(Quat a, Quat b) { return Math.Abs(a.W - b.W) + Apart(new Vec3(a.X, a.Y, a.Z), new Vec3(b.X, b.Y, b.Z)); }

    // Quaternion.Euler of Unity, for one axis at a time: x leans forward, y turns right, z tilts left; degrees.
    static Quat Euler(double x, double y, double z) {
        double half = (x + y + z) * Math.PI / 360.0, s = Math.Sin(half);
        return new Quat(Math.Cos(half), x != 0.0 ? s : 0.0, y != 0.0 ? s : 0.0, z != 0.0 ? s : 0.0);
    }
    static Quat Multiply(Quat a, Quat b) {
        return new Quat(a.W * b.W - a.X * b.X - a.Y * b.Y - a.Z * b.Z, a.W * b.X + a.X * b.W + a.Y * b.Z - a.Z * b.Y,
            a.W * b.Y - a.X * b.Z + a.Y * b.W + a.Z * b.X, a.W * b.Z + a.X * b.Y - a.Y * b.X + a.Z * b.W);
    }
    static Vec3 Rotated(Quat q, Vec3 v) {
        Quat p = Multiply(Multiply(q, new Quat(0.0, v.X, v.Y, v.Z)), new Quat(q.W, -q.X, -q.Y, -q.Z));
        return new Vec3(p.X, p.Y, p.Z);
    }

    static void Numbers() {
        // 1 m to the left, 2 m up, 3 m ahead.
        Require(Apart(Axes.Converted(new Vec3(1.0, 2.0, 3.0)), new Vec3(-1.0, 2.0, 3.0)) == 0.0, "a position");
        double half = Math.PI / 12.0; // rotations of 30 degrees: turn left, lean forward, tilt right
        double c = Math.Cos(half), s = Math.Sin(half);
        Require(Apart(Axes.Converted(new Quat(c, 0.0, s, 0.0)), Euler(0.0, -30.0, 0.0)) < 1e-12, "a turn");
        Require(Apart(Axes.Converted(new Quat(c, s, 0.0, 0.0)), Euler(30.0, 0.0, 0.0)) < 1e-12, "a lean");
        Require(Apart(Axes.Converted(new Quat(c, 0.0, 0.0, s)), Euler(0.0, 0.0, -30.0)) < 1e-12, "a tilt");
        Require(Math.Abs(Axes.UnityYaw(Math.PI / 6.0) + 30.0) < 1e-12, "a yaw");
        Require(Math.Abs(Axes.LibraryYaw(Axes.UnityYaw(0.7)) - 0.7) < 1e-12, "a yaw there and back");
        // A turn after a lean moves a point to the mirror image of where it goes in the library's axes.
        Quat both = Multiply(new Quat(c, 0.0, s, 0.0), new Quat(c, s, 0.0, 0.0));
        Vec3 expected = Axes.Converted(Rotated(both, new Vec3(1.0, 2.0, 3.0)));
        Require(Apart(Rotated(Axes.Converted(both), new Vec3(-1.0, 2.0, 3.0)), expected) < 1e-12, "a turn after a lean");
    }

    static void Calls(Pack pack) {
        using (var crowd = new Crowd(pack, 2))
        using (var plain = new Crowd(pack, 2)) {
            crowd.Place(1, new Vec3(2.0, 0.0, 3.0), 40.0);
            Ground ground = crowd.Look(1);
            Require(Apart(ground.Position, new Vec3(2.0, 0.0, 3.0)) < 1e-12 && Math.Abs(ground.Yaw - 40.0) < 1e-9, "a place");
            crowd.Command(0, new Command { Heading = 60.0, Speed = 1.25, Facing = -30.0, Point = new Vec3(2.0, 0.0, 4.0) });
            var raw = new double[2 * pack.CommandNames.Length];
            for (int k = 0; k < pack.CommandNames.Length; k++)
                raw[k] = pack.CommandNames[k] == "heading" ? -Math.PI / 3.0 : pack.CommandNames[k] == "speed" ? 1.25
                    : pack.CommandNames[k] == "facing" ? Math.PI / 6.0 : pack.CommandNames[k] == "point_x" ? -2.0
                    : pack.CommandNames[k] == "point_z" ? 4.0 : 0.0;
            byte[] kept = crowd.Save(0);
            for (int frame = 0; frame < 20; frame++) { crowd.Step(); plain.Step(raw); }
            var root = new double[3];
            var rotations = new double[4 * pack.Joints.Length];
            plain.Read(0, root, rotations);
            Require(Apart(crowd.Root(0), new Vec3(-root[0], root[1], root[2])) < 1e-6, "a command");
            crowd.Load(0, kept);
            crowd.Detail(1, 2, false);
            crowd.Start(1, 0);
            try { crowd.Place(2, new Vec3(0.0, 0.0, 0.0), 0.0); Require(false, "a character that does not exist"); }
            catch (RuntimeException error) { Require(error.Status == 9, error.Message); }
        }
    }

    static uint seed = 1;
    static uint Draw() { seed = unchecked(seed * 1664525u + 1013904223u); return seed >> 8; }
    static double Between(double a, double b) { return a + (b - a) * (Draw() / 16777216.0); }
    // FNV-1a.
    static ulong Add(ulong digest, double[] numbers) {
        foreach (double number in numbers) {
            long bits = BitConverter.DoubleToInt64Bits(number);
            for (int k = 0; k < 64; k += 8) digest = unchecked((digest ^ (ulong)(bits >> k & 255)) * 1099511628211UL);
        }
        return digest;
    }
    static ulong Digest(Pack pack, int count, int frames) {
        int columns = pack.CommandNames.Length;
        double[] commands = new double[count * columns], root = new double[3], rotations = new double[4 * pack.Joints.Length];
        ulong digest = 14695981039346656037UL;
        using (var crowd = new Crowd(pack, count))
            for (int frame = 0; frame < frames; frame++) {
                for (int i = 0; i < count; i++) {
                    if (frame > 0 && Draw() % 45 != 0) continue;
                    for (int k = 0; k < columns; k++)
                        switch (pack.CommandNames[k][0]) {
                            case 'p': commands[i * columns + k] = Between(-5.0, 5.0); break;
                            case 's': commands[i * columns + k] = Between(0.0, 1.5); break;
                            case 'g': commands[i * columns + k] = Draw() % 2; break;
                            default: commands[i * columns + k] = Between(-3.14, 3.14); break;
                        }
                }
                crowd.Step(commands);
                for (int i = 0; i < count; i++) {
                    crowd.Read(i, root, rotations);
                    digest = Add(Add(digest, root), rotations);
                }
            }
        return digest;
    }

    static int Main(string[] args) {
        try {
            using (var pack = new Pack(File.ReadAllBytes(args[0]))) {
                Numbers();
                Calls(pack);
                Console.WriteLine(Digest(pack, args.Length > 1 ? int.Parse(args[1]) : 64, args.Length > 2 ? int.Parse(args[2]) : 300).ToString("x16"));
                return 0;
            }
        }
        catch (RuntimeException error) {
            Console.Error.WriteLine(error.Message);
            return 2;
        }
    }
}
