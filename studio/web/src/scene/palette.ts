// The colours of the scene, for a dark and a light page.

import { Color } from "three";
import type { Theme } from "./view";

export interface Palette {
  zenith: Color; // the sky overhead
  horizon: Color; // the sky at the horizon, into which the ground fades
  ground: Color; // under the character
  line: Color; // of the grid
  lineStrength: number;
  shadow: number; // how dark a shadow is, 0 to 1
  pool: number; // how much lighter the ground is round the character
  body: Color; // of characters that are not selected
  joint: Color;
  rim: Color; // light from behind
  selected: Color; // body of the selected character
  accent: Color; // its goal and its trail
  facing: Color; // arrow of its facing direction
  planted: Color; // planted foot
  push: Color;
  ball: Color;
  neighbor: Color; // ghosts of the nearest database states
  action: Color; // ghosts of the available actions
  keyLight: number; // intensities
  skyLight: number;
  fillLight: number;
  skyTint: Color; // light from above and from below
  groundTint: Color;
}

const color = (hex: number) => new Color(hex);

export const PALETTES: Record<Theme, Palette> = {
  dark: {
    zenith: color(0x0a0c11),
    horizon: color(0x2a3341),
    ground: color(0x171c25),
    line: color(0x9fb0c8),
    lineStrength: 0.17,
    shadow: 0.7,
    pool: 0.9,
    body: color(0xb6b6b5),
    joint: color(0x35322f),
    rim: color(0x3d4a5e),
    selected: color(0xffb865),
    accent: color(0xffae4a),
    facing: color(0xe7eaf0),
    planted: color(0x63e6a2),
    push: color(0xff7a68),
    ball: color(0xf2f4f7),
    neighbor: color(0x74a9ff),
    action: color(0xc79bff),
    keyLight: 3.3,
    skyLight: 1.3,
    fillLight: 1.5,
    skyTint: color(0xd9e1ee),
    groundTint: color(0x4a4c52),
  },
  light: {
    zenith: color(0xc9d7e4),
    horizon: color(0xf3f0ea),
    ground: color(0xe2ddd3),
    line: color(0x6a6152),
    lineStrength: 0.26,
    shadow: 0.36,
    pool: 0.07,
    body: color(0xb0afad),
    joint: color(0x454240),
    rim: color(0x4a463e),
    selected: color(0xf7a847),
    accent: color(0xee8f1e),
    facing: color(0x2b3038),
    planted: color(0x23b571),
    push: color(0xd8432c),
    ball: color(0x39414d),
    neighbor: color(0x2c66d4),
    action: color(0x7a3fd0),
    keyLight: 2.7,
    skyLight: 2.0,
    fillLight: 0.8,
    skyTint: color(0xfdfdff),
    groundTint: color(0xcfc6b6),
  },
};
