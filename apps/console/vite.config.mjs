import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Addresses of the console's own files begin with this; see src/web/console.ts, which serves them. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: 'public',
  clearScreen: false,
  plugins: [react()],
  build: {
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // No data: URLs: the content security policy blocks scripts and styles from them.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
});
