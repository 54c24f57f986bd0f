// The C runtime in WebAssembly: one pack and a crowd of characters.
//
//   const crowd = await Crowd.open(wasmBytes, packBytes, 100);
//   const commands = new Float64Array(crowd.columns * 100); // [character, column], see crowd.commandNames
//   crowd.step(commands);                                   // once per crowd.frameTime seconds
//   crowd.root(0), crowd.rotations(0);
//
// Units are metres, seconds and radians. Axes are those of three.js and glTF: right-handed, y up. Yaw 0 faces +z and
// positive yaw turns left, towards +x. Quaternions are w, x, y, z; three.js has x, y, z, w.

/**
 * Place and state of one character. `x` and `z` in metres and `facing` in radians are without the offset of the
 * displayed pose. `locked` has bit 0 for the left foot and bit 1 for the right.
 * @typedef {{ x: number, z: number, facing: number, state: number, variant: number, locked: number }} Seen
 */

/** An error of the runtime; `status` is its mf_status in motionfields.h. */
export class RuntimeError extends Error {
  /**
   * @param {string} text
   * @param {number} status
   */
  constructor(text, status) {
    super(text);
    this.name = "RuntimeError";
    /** @readonly */
    this.status = status;
  }
}

/** A crowd of characters that share one pack. */
export class Crowd {
  #c; // exports of the module
  #commandsAt;
  #keptAt = 0; // place of a saved character, once one was saved or loaded

  /**
   * Compile the module `wasm`, open `pack`, and make `count` characters at the origin.
   * @param {BufferSource} wasm content of motionfields.wasm
   * @param {Uint8Array} pack content of a .mfpack file
   * @param {number} count most characters; `step` may advance fewer
   * @returns {Promise<Crowd>}
   */
  static async open(wasm, pack, count) {
    const { instance } = await WebAssembly.instantiate(wasm, {});
    return new Crowd(instance, pack, count);
  }

  /**
   * Use an instance of the module that nothing else uses.
   * @param {WebAssembly.Instance} instance
   * @param {Uint8Array} pack
   * @param {number} count
   */
  constructor(instance, pack, count) {
    const c = (this.#c = /** @type {any} */ (instance.exports));
    c._initialize();
    const at = this.#take(pack.length);
    new Uint8Array(c.memory.buffer).set(pack, at);
    this.#check(c.mfw_open(at, pack.length));
    this.#check(c.mfw_init(count));
    /** Number of characters. @readonly */
    this.count = count;
    /** Numbers of a command. @readonly @type {number} */
    this.columns = c.mfw_columns();
    /** Number of joints. @readonly @type {number} */
    this.joints = c.mfw_joints();
    /** Seconds from one frame to the next. @readonly @type {number} */
    this.frameTime = c.mfw_frame_time();
    const columns = [...Array(this.columns).keys()];
    const joints = [...Array(this.joints).keys()];
    /** Names of the columns: heading, speed, facing, gait, point_x, point_z. @readonly */
    this.commandNames = columns.map((column) => this.#text(c.mfw_command_name(column)));
    /** Names of the joints. @readonly */
    this.jointNames = joints.map((joint) => this.#text(c.mfw_joint_name(joint)));
    /** Parent of each joint, which comes before it; -1 for the root. @readonly @type {number[]} */
    this.parents = joints.map((joint) => c.mfw_joint_parent(joint));
    /** Metres [3] from the parent to each joint, in the parent's frame. @readonly @type {Float64Array[]} */
    this.offsets = joints.map((joint) => this.#doubles(c.mfw_joint_offset(joint), 3).slice());
    this.#commandsAt = this.#take(8 * this.columns * count);
  }

  /**
   * Advance the first `count` characters by one frame.
   * @param {Float64Array} commands [count, column], in the order of `commandNames`
   * @param {number} [count] all, unless given
   */
  step(commands, count = this.count) {
    if (count > this.count || commands.length !== count * this.columns)
      throw new RangeError(`commands: expected ${count} x ${this.columns} numbers, got ${commands.length}`);
    this.#doubles(this.#commandsAt, commands.length).set(commands);
    this.#check(this.#c.mfw_step(this.#commandsAt, count));
  }

  /**
   * Put character `i` at x, z in metres, facing a yaw angle in radians. Its pose stays, its feet are locked anew.
   * @param {number} i
   * @param {number} x
   * @param {number} z
   * @param {number} facing
   */
  place(i, x, z, facing) {
    this.#check(this.#c.mfw_place(i, x, z, facing));
  }

  /**
   * Let character `i` begin again at a database state, at the origin.
   * @param {number} i
   * @param {number} state
   */
  start(i, state) {
    this.#check(this.#c.mfw_start(i, state));
  }

  /**
   * Set the level of detail: frames from one decision to the next, and whether feet are locked.
   * @param {number} i
   * @param {number} every
   * @param {boolean} plant
   */
  detail(i, every, plant) {
    this.#check(this.#c.mfw_detail(i, every, plant ? 1 : 0));
  }

  /**
   * Return the displayed root position [3] in metres: a view, valid until the next call.
   * @param {number} i
   * @returns {Float64Array}
   */
  root(i) {
    return this.#doubles(this.#found(this.#c.mfw_root(i)), 3);
  }

  /**
   * Return the displayed rotations [joint, 4] wxyz from joint to parent, the first from root to world: a view, valid
   * until the next call.
   * @param {number} i
   * @returns {Float64Array}
   */
  rotations(i) {
    return this.#doubles(this.#found(this.#c.mfw_rotations(i)), 4 * this.joints);
  }

  /**
   * Return place and state of character `i`.
   * @param {number} i
   * @returns {Seen}
   */
  look(i) {
    const at = this.#found(this.#c.mfw_look(i));
    const [x, z, facing] = this.#doubles(at, 3);
    const [state, variant, locked] = new Uint32Array(this.#c.memory.buffer, at + 24, 3);
    return { x, z, facing, state, variant, locked };
  }

  /**
   * Return the bytes of character `i`, for rollback and replays.
   * @param {number} i
   * @returns {Uint8Array}
   */
  save(i) {
    const kept = this.#kept();
    this.#check(this.#c.mfw_save(i, kept.byteOffset));
    return kept.slice();
  }

  /**
   * Bring back character `i` from bytes that a crowd of the same pack saved.
   * @param {number} i
   * @param {Uint8Array} bytes
   */
  load(i, bytes) {
    const kept = this.#kept();
    if (bytes.length !== kept.length) throw new RangeError(`bytes: expected ${kept.length}, got ${bytes.length}`);
    kept.set(bytes);
    this.#check(this.#c.mfw_load(i, kept.byteOffset));
  }

  #kept() {
    const size = this.#c.mfw_character_size();
    this.#keptAt ||= this.#take(size);
    return new Uint8Array(this.#c.memory.buffer, this.#keptAt, size);
  }

  /** @param {number} size */
  #take(size) {
    const at = this.#c.mfw_memory(size);
    if (at === 0) throw new RangeError(`the module cannot have ${size} more bytes of memory`);
    return at;
  }

  /** @param {number} at */
  #found(at) {
    if (at === 0) throw new RangeError(`there are ${this.count} characters`);
    return at;
  }

  /** @param {number} status */
  #check(status) {
    if (status !== 0) throw new RuntimeError(this.#text(this.#c.mfw_status_text(status)), status);
  }

  /** @param {number} at @param {number} length */
  #doubles(at, length) {
    return new Float64Array(this.#c.memory.buffer, at, length);
  }

  /** @param {number} at */
  #text(at) {
    const bytes = new Uint8Array(this.#c.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}
