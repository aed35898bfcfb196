#!/usr/bin/env node
// In a checkout the sources are run as they are; the published package holds only what was built of them.
import { existsSync } from 'node:fs';

const source = new URL('../src/cli/main.ts', import.meta.url);
const built = new URL('../dist/client/src/cli/main.js', import.meta.url);
await import(existsSync(source) ? source.href : built.href);
