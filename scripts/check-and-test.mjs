// Runs the checks beside the tests, which leave a third of the processor time unused while they wait for servers and browsers.
// The output of the checks is printed once they have ended; if they fail, the tests stop. Arguments are passed to the tests.
import { spawn } from 'node:child_process';
import process from 'node:process';

const ended = (child) =>
  new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });

async function check() {
  const child = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const code = await ended(child);
  process.stderr.write(code === 0 ? 'npm run check: passed\n' : Buffer.concat(output));
  return code;
}

const tests = spawn('node_modules/.bin/node', ['node_modules/.bin/vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A signal for this process ends the tests too.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal));

const [checked, tested] = await Promise.all([
  check().then((code) => {
    if (code !== 0) tests.kill();
    return code;
  }),
  ended(tests),
]);
process.exitCode = checked || tested;
