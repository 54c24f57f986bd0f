// check.mjs WASM PACK [characters] [frames]: use the package in node, and print the digest of runtime/c/tools/digest.c and
// the processor time per character and frame after the first tenth of the frames, in which node compiles the module.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Crowd, RuntimeError } from "./motionfields.js";

const [wasmFile, packFile, characters = "64", frameCount = "300"] = process.argv.slice(2);
const [wasm, pack] = [readFileSync(wasmFile), readFileSync(packFile)];
const [count, frames] = [Number(characters), Number(frameCount)];

async function checkCalls() {
  const crowd = await Crowd.open(wasm, pack, 2);
  const commands = new Float64Array(2 * crowd.columns).fill(0.5);
  for (let frame = 0; frame < 10; frame += 1) crowd.step(commands);
  const [kept, shown] = [crowd.save(0), crowd.rotations(0).slice()];
  for (let frame = 0; frame < 10; frame += 1) crowd.step(commands);
  assert.notDeepEqual(crowd.rotations(0).slice(), shown);
  crowd.load(0, kept);
  crowd.step(commands);
  assert.equal(crowd.rotations(0).length, 4 * crowd.jointNames.length);
  assert.deepEqual([crowd.parents[0], crowd.offsets.length], [-1, crowd.joints]);
  assert.ok(crowd.parents.slice(1).every((parent, j) => parent >= 0 && parent <= j));
  crowd.place(1, 3, -2, 0.5);
  const { x, z, facing } = crowd.look(1);
  assert.deepEqual([x, z], [3, -2]);
  assert.ok(Math.abs(facing - 0.5) < 1e-12);
  crowd.detail(1, 2, false);
  crowd.start(1, 0);
  assert.throws(() => crowd.place(2, 0, 0, 0), RuntimeError);
  assert.throws(() => crowd.root(2), RangeError);
  assert.throws(() => crowd.step(commands.subarray(1)), RangeError);
  assert.throws(() => crowd.step(commands.fill(Infinity)), RuntimeError);
  assert.throws(() => crowd.load(0, kept.subarray(1)), RangeError);
  await assert.rejects(Crowd.open(wasm, pack.subarray(1), 1), /not a motionfields pack/);
}

let seed = 1;
function draw() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed >>> 8;
}
const between = (a, b) => a + (b - a) * (draw() / 16777216);
const drawn = { p: () => between(-5, 5), s: () => between(0, 1.5), g: () => draw() % 2 };

// FNV-1a with the two halves of a 64-bit number; the prime is 2^40 + 0x1b3.
let [high, low] = [0xcbf29ce4, 0x84222325];
function add(numbers) {
  for (const byte of new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
}

await checkCalls();
const crowd = await Crowd.open(wasm, pack, count);
const commands = new Float64Array(count * crowd.columns);
const warmUp = Math.floor(frames / 10);
let microseconds = 0;
for (let frame = 0; frame < frames; frame += 1) {
  for (let i = 0; i < count; i += 1) {
    if (frame > 0 && draw() % 45 !== 0) continue;
    crowd.commandNames.forEach((name, column) => {
      commands[i * crowd.columns + column] = (drawn[name[0]] ?? (() => between(-3.14, 3.14)))();
    });
  }
  const began = process.cpuUsage();
  crowd.step(commands);
  const { user, system } = process.cpuUsage(began);
  if (frame >= warmUp) microseconds += user + system;
  for (let i = 0; i < count; i += 1) {
    add(crowd.root(i));
    add(crowd.rotations(i));
  }
}
console.log([high, low].map((half) => half.toString(16).padStart(8, "0")).join(""));
console.error(`${(microseconds / (count * (frames - warmUp))).toFixed(3)} us per character and frame`);
