import { defineConfig } from 'vitest/config';

const circle = (name: string, testTimeout: number, extra: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: 60_000, env: { TZ: 'UTC' }, ...extra },
});

export default defineConfig({
  test: {
    projects: [
      circle('unit', 20_000, { include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'] }),
      circle('contract', 60_000),
      circle('integration', 120_000),
      circle('e2e', 180_000),
      circle('corpus', 600_000),
    ],
  },
});
