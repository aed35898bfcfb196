#!/usr/bin/env node
// A checkout runs the sources directly; the published package contains only the built files.
import { existsSync } from 'node:fs';

const source = new URL('../src/cli/main.ts', import.meta.url);
const built = new URL('../dist/cli.js', import.meta.url);
await import(existsSync(source) ? source.href : built.href);
