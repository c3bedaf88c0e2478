// One page, one script, one style sheet, the same bytes each time: they are kept in git and built into the program.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  server: { proxy: { "/api": "http://127.0.0.1:8642", "/run": "http://127.0.0.1:8642" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: "viewer.js",
        assetFileNames: "viewer[extname]",
      },
    },
  },
});
