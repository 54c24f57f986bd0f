import { defineConfig } from "vite";

// The script and the style sheet of exported pages, one file each, which `motionfields export` puts into a page.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../../src/motionfields/export/page",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rollupOptions: {
      input: "src/standalone/main.ts",
      output: {
        codeSplitting: false,
        entryFileNames: "standalone.js",
        assetFileNames: "standalone[extname]",
      },
    },
  },
});
