export type Seen = {
    x: number;
    z: number;
    facing: number;
    state: number;
    variant: number;
    locked: number;
};
/**
 * Place and state of one character. `x` and `z` in metres and `facing` in radians are without the offset of the
 * displayed pose. `locked` has bit 0 for the left foot and bit 1 for the right.
 * @typedef {{ x: number, z: number, facing: number, state: number, variant: number, locked: number }} Seen
 */
/** An error of the runtime; `status` is its mf_status in motionfields.h. */
export declare class RuntimeError extends Error {
    /** @readonly */
    status: number;
    /**
     * @param {string} text
     * @param {number} status
     */
    constructor(text: string, status: number);
}
/** A crowd of characters that share one pack. */
export declare class Crowd {
    #private;
    /** Number of characters. @readonly */
    count: number;
    /** Numbers of a command. @readonly @type {number} */
    columns: number;
    /** Number of joints. @readonly @type {number} */
    joints: number;
    /** Seconds from one frame to the next. @readonly @type {number} */
    frameTime: number;
    /** Names of the columns: heading, speed, facing, gait, point_x, point_z. @readonly */
    commandNames: string[];
    /** Names of the joints. @readonly */
    jointNames: string[];
    /** Parent of each joint, which comes before it; -1 for the root. @readonly @type {number[]} */
    parents: number[];
    /** Metres [3] from the parent to each joint, in the parent's frame. @readonly @type {Float64Array[]} */
    offsets: Float64Array[];
    /**
     * Compile the module `wasm`, open `pack`, and make `count` characters at the origin.
     * @param {BufferSource} wasm content of motionfields.wasm
     * @param {Uint8Array} pack content of a .mfpack file
     * @param {number} count most characters; `step` may advance fewer
     * @returns {Promise<Crowd>}
     */
    static open(wasm: BufferSource, pack: Uint8Array, count: number): Promise<Crowd>;
    /**
     * Use an instance of the module that nothing else uses.
     * @param {WebAssembly.Instance} instance
     * @param {Uint8Array} pack
     * @param {number} count
     */
    constructor(instance: WebAssembly.Instance, pack: Uint8Array, count: number);
    /**
     * Advance the first `count` characters by one frame.
     * @param {Float64Array} commands [count, column], in the order of `commandNames`
     * @param {number} [count] all, unless given
     */
    step(commands: Float64Array, count?: number): void;
    /**
     * Put character `i` at x, z in metres, facing a yaw angle in radians. Its pose stays, its feet are locked anew.
     * @param {number} i
     * @param {number} x
     * @param {number} z
     * @param {number} facing
     */
    place(i: number, x: number, z: number, facing: number): void;
    /**
     * Let character `i` begin again at a database state, at the origin.
     * @param {number} i
     * @param {number} state
     */
    start(i: number, state: number): void;
    /**
     * Set the level of detail: frames from one decision to the next, and whether feet are locked.
     * @param {number} i
     * @param {number} every
     * @param {boolean} plant
     */
    detail(i: number, every: number, plant: boolean): void;
    /**
     * Return the displayed root position [3] in metres: a view, valid until the next call.
     * @param {number} i
     * @returns {Float64Array}
     */
    root(i: number): Float64Array;
    /**
     * Return the displayed rotations [joint, 4] wxyz from joint to parent, the first from root to world: a view, valid
     * until the next call.
     * @param {number} i
     * @returns {Float64Array}
     */
    rotations(i: number): Float64Array;
    /**
     * Return place and state of character `i`.
     * @param {number} i
     * @returns {Seen}
     */
    look(i: number): Seen;
    /**
     * Return the bytes of character `i`, for rollback and replays.
     * @param {number} i
     * @returns {Uint8Array}
     */
    save(i: number): Uint8Array;
    /**
     * Bring back character `i` from bytes that a crowd of the same pack saved.
     * @param {number} i
     * @param {Uint8Array} bytes
     */
    load(i: number, bytes: Uint8Array): void;
}
