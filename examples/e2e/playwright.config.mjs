import { defineConfig } from 'playwright/test';

export default defineConfig({
  testMatch: '*.spec.mjs',
  // Extensions need a browser of their own, so that each worker starts one.
  workers: 1,
  webServer: { command: 'node serve.mjs', port: Number(process.env.PORT ?? 8400) },
});
