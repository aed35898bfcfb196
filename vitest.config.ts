import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from './test/helpers/memory-folder.ts';

// Every worker and every process that tests start loads the service: with what was compiled kept, that takes half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

// Where tests and what they start put whatever is thrown away again, the database server before all.
const folder = process.env['TMPDIR'] ? undefined : memoryFolder();
if (folder) process.env['TMPDIR'] = folder;

/** On a new machine vitest takes the longest files for the slowest and begins with them; this one is short and slow. */
class ChaosFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isChaos = ({ moduleId }: TestSpecification) => moduleId.endsWith('/test/chaos/chaos.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isChaos), ...sorted.filter((file) => !isChaos(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: ChaosFirst },
    // Node runs the files as they are, in the tests as in production.
    experimental: { viteModuleRunner: false },
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    setupFiles: ['test/helpers/properties.ts', 'test/helpers/leaks.ts'],
    pool: 'forks',
    // More than cores: many tests wait for processes and servers of their own.
    maxWorkers: 3,
    // Loading the service takes longer than many a file's tests. What lives as long as a process hangs on an App, and every
    // file opens its own, on a database of its own.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
