import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from './test/helpers/memory-folder.ts';

// Every worker and every process that tests start loads the service; the compile cache halves that time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

// The folder for temporary files of tests and their processes, in particular the database server.
const folder = process.env['TMPDIR'] ? undefined : memoryFolder();
if (folder) process.env['TMPDIR'] = folder;

/** Without timings, vitest starts with the largest files. These are short but slow: last, they would run alone. */
const SLOW = [
  'chaos/chaos',
  'jobs/hanging-calls',
  'proof/lost-reply',
  'process/production-packages',
  'fuzz/fuzz',
].map((name) => `/test/${name}.test.ts`);

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    // Node runs the files unchanged, in tests as in production.
    experimental: { viteModuleRunner: false },
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    setupFiles: ['test/helpers/properties.ts', 'test/helpers/leaks.ts'],
    pool: 'forks',
    // More than cores, because many tests wait for separate processes and servers.
    maxWorkers: 4,
    // Loading the service takes longer than the tests of many files. Process-wide state belongs to an App, and every file opens
    // its own App on its own database.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
