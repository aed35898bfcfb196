import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from './test/helpers/memory-folder.ts';

// Every worker and every process that tests start loads the service; the compile cache halves that time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

// The folder for temporary files of tests and their processes, in particular the database server.
const folder = process.env['TMPDIR'] ? undefined : memoryFolder();
if (folder) process.env['TMPDIR'] = folder;

/**
 * Without timings, vitest starts with the largest files. These are short but slow, because browsers and processes do their work:
 * last, they would run alone. They take turns with the others, so that not all browsers are open at once.
 */
const SLOW =
  /\/test\/(?:chaos|client|failover|process|verifiers|web|witness)\/|hanging-calls|lost-reply|large-answers/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    const others = sorted.filter((file) => !isSlow(file));
    const slow = sorted.filter(isSlow);
    return [...slow.flatMap((file, i) => [file, ...others.slice(i, i + 1)]), ...others.slice(slow.length)];
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
    // More than cores, because many tests wait for separate processes and servers. A given server may allow 100 connections.
    maxWorkers: process.env['TEST_DATABASE_URL'] ? 4 : 6,
    // Loading the service takes longer than the tests of many files. Process-wide state belongs to an App, and every file opens
    // its own App on its own database.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
