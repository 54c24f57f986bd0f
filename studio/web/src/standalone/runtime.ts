// The C runtime in WebAssembly: one pack, and as many characters as the page may show.

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  mfw_memory(size: number): number;
  mfw_open(bytes: number, size: number): number;
  mfw_init(count: number): number;
  mfw_step(commands: number, count: number): number;
  mfw_place(i: number, x: number, z: number, facing: number): number;
  mfw_columns(): number;
  mfw_joints(): number;
  mfw_root(i: number): number;
  mfw_rotations(i: number): number;
  mfw_look(i: number): number;
}

/** Place and state of one character; `locked` has bit 0 for the left foot and bit 1 for the right. */
export interface Seen {
  x: number;
  z: number;
  facing: number;
  state: number;
  variant: number;
  locked: number;
}

export class Runtime {
  readonly columns: number;
  readonly joints: number;
  private readonly commandsAt: number;

  private constructor(
    private readonly c: Exports,
    readonly most: number,
  ) {
    this.columns = c.mfw_columns();
    this.joints = c.mfw_joints();
    this.commandsAt = c.mfw_memory(8 * this.columns * most);
  }

  /** Open `pack` for at most `most` characters. */
  static async open(module: BufferSource, pack: Uint8Array, most: number): Promise<Runtime> {
    const { instance } = await WebAssembly.instantiate(module, {});
    const c = instance.exports as unknown as Exports;
    c._initialize();
    const at = c.mfw_memory(pack.length);
    new Uint8Array(c.memory.buffer).set(pack, at);
    const status = c.mfw_open(at, pack.length) || c.mfw_init(most);
    if (status !== 0) throw new Error(`the pack cannot be used (status ${status})`);
    return new Runtime(c, most);
  }

  /** Advance the first `count` characters by one frame; `commands` are [count, column]. */
  step(commands: Float64Array, count: number): void {
    new Float64Array(this.c.memory.buffer, this.commandsAt, commands.length).set(commands);
    this.c.mfw_step(this.commandsAt, count);
  }

  place(i: number, x: number, z: number, facing: number): void {
    this.c.mfw_place(i, x, z, facing);
  }

  /** Return the root position [3] in metres, valid until the next call. */
  root(i: number): Float64Array {
    return new Float64Array(this.c.memory.buffer, this.c.mfw_root(i), 3);
  }

  /** Return the rotations [joint, 4] wxyz, valid until the next call. */
  rotations(i: number): Float64Array {
    return new Float64Array(this.c.memory.buffer, this.c.mfw_rotations(i), 4 * this.joints);
  }

  look(i: number): Seen {
    const at = this.c.mfw_look(i);
    const [x, z, facing] = new Float64Array(this.c.memory.buffer, at, 3);
    const [state, variant, locked] = new Uint32Array(this.c.memory.buffer, at + 24, 3);
    return { x, z, facing, state, variant, locked };
  }
}
