import { defineConfig } from "vite";

export default defineConfig({
  base: "./", // the page lives under a secret path
  build: {
    outDir: "../../src/motionfields/studio/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rollupOptions: {
      input: ["index.html", "compose.html", "plan.html"],
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
});
