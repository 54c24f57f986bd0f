// Print the report of the Khronos glTF validator on each file, as one line of JSON; exit with 1 if it has any message.
//   node scripts/validate_gltf.mjs FILE...
// scripts/build_studio installs the validator with the other packages of studio/web.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename } from "node:path";

const require = createRequire(new URL("../studio/web/package.json", import.meta.url));
const validator = require("gltf-validator");
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(await readFile(file));
  const { issues, info } = await validator.validateBytes(bytes, { uri: basename(file), maxIssues: 100 });
  const { numErrors: errors, numWarnings: warnings, numInfos: infos, numHints: hints, messages } = issues;
  const { animationCount: animations, totalVertexCount: vertices, totalTriangleCount: triangles } = info;
  console.log(JSON.stringify({ file, errors, warnings, infos, hints, animations, vertices, triangles, messages }));
  if (messages.length) process.exitCode = 1;
}
