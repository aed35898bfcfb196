import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('not run: the Python verifier, because this machine has no python3\n');

/** The Python verifier in one process that answers each line of JSON with a line of JSON. */
export class PythonProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    const script = fileURLToPath(new URL('python_process.py', import.meta.url));
    this.#child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** One answer for each question, in their order. */
  async ask<T>(questions: readonly unknown[]): Promise<T[]> {
    this.#child.stdin.write(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
    const answers: T[] = [];
    for (const question of questions) {
      const { value, done } = await this.#answers.next();
      if (done) throw new Error(`the Python verifier ended at ${JSON.stringify(question).slice(0, 1000)}`);
      answers.push(JSON.parse(value) as T);
    }
    return answers;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
