// Script for the page of the studio: loads a take with the loader of three.js, places it beside the live character, and
// exports it again with the exporter of three.js.
// docs/figures/draw_gltf.py bundles it; it is not part of the studio.

import { AnimationMixer, LoopOnce, Vector3 } from "three";
import { GLTFExporter } from "three/examples/jsm/exporters/GLTFExporter.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

let take = null;

/** Load a file from base64; return its number of joints and its duration in seconds. */
async function load(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, "");
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  let body = null;
  gltf.scene.traverse((node) => {
    if (node.isSkinnedMesh) body = node;
  });
  take = { scene: gltf.scene, animations: gltf.animations, mixer, bones: body.skeleton.bones, action };
  body.frustumCulled = false;
  body.castShadow = true;
  return { joints: take.bones.length, seconds: gltf.animations[0].duration };
}

/** Return the joint positions, [joint][3] metres, at `seconds` after the first frame. */
function pose(seconds) {
  take.action.reset().play();
  take.mixer.setTime(seconds);
  take.scene.updateMatrixWorld(true);
  return take.bones.map((bone) => bone.getWorldPosition(new Vector3()).toArray());
}

/** Add the take to the scene of the studio, moved by (x, z) metres. */
function stand(x, z) {
  take.scene.position.set(x, 0, z);
  const { stage } = window.studio.view;
  stage.scene.add(take.scene);
  stage.dirty = true;
}

/** Return the take as exported by three.js, in base64; its nodes are in the pose set last. */
async function written() {
  const { scene, animations } = take;
  const bytes = new Uint8Array(await new GLTFExporter().parseAsync(scene, { binary: true, animations, onlyVisible: false }));
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768)
    text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  return btoa(text);
}

window.beside = { load, pose, stand, written };
