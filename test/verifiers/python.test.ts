import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bareEnvironment } from '../helpers/process.ts';
import { hasPython, PythonProcess } from './python-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vectors = join(root, 'vectors');
const { keys, witnesses, quorum, retired } = JSON.parse(readFileSync(join(vectors, 'keys.json'), 'utf8'));
const verdicts = JSON.parse(readFileSync(join(vectors, 'verdicts.json'), 'utf8')) as Record<string, string>;
const trust = ['--key', ...keys, '--witness', ...witnesses, '--quorum', String(quorum)];

const COMMANDS = {
  python: ['python3', 'verifiers/python/countersign_verify.py'],
  node: [process.execPath, 'src/commands/verify.ts'],
} as const;
type Command = keyof typeof COMMANDS;
const commands: Command[] = hasPython ? ['node', 'python'] : ['node'];

async function run(command: Command, args: string[], folder = vectors) {
  const [program, script] = COMMANDS[command];
  const child = spawn(program, [join(root, script), ...args], {
    cwd: folder,
    env: bareEnvironment({ NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { lines: out.split('\n').slice(0, -1), out, err, code };
}

const filesIn = (kind: string) => readdirSync(join(vectors, kind)).map((name) => `${kind}/${name}`);
const inOrder = Object.keys(verdicts);
const byVerdicts = (one: string, other: string) => inOrder.indexOf(one) - inOrder.indexOf(other);
const expected = (files: string[]) => files.map((file) => `${file}: ${verdicts[file]}`);

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe.each(commands)('%s', (command) => {
  // Contradicting documents name each other in the given order, which is that of the verdicts.
  test.each([
    ['genuine and partial', ['genuine', 'partial'], 3],
    ['falsified', ['falsified'], 1],
    ['contradicting', ['contradicting'], 1],
  ])(
    'prints the expected verdicts of the %s vectors, word for word',
    async (_, kinds, code) => {
      const files = kinds.flatMap((kind) => filesIn(kind)).sort(byVerdicts);
      const answer = await run(command, [...files, ...trust]);
      expect(answer.err).toBe('');
      expect(answer.lines).toEqual(expected(files));
      expect(answer.code).toBe(code);
    },
    120_000,
  );

  test('evaluates the condition of a mandate, or reports that it cannot', async () => {
    const files = filesIn('conditional').sort(byVerdicts);
    const evaluated = [
      `${files[0]}: ${verdicts['genuine/mandate-within-limits.json']!.replace('mnd_refunds', 'mnd_condition')}`,
      `${files[1]}: refuted: the mandate does not cover it: condition`,
    ];
    const answer = await run(command, [...files, ...trust]);
    expect(answer).toMatchObject(
      command === 'node' ? { lines: evaluated, code: 1 } : { lines: expected(files), code: 3 },
    );
  }, 120_000);

  test('the exit code is that of the worst verdict', async () => {
    const [good, bad, lost, part] = [
      'genuine/decision-whole.json',
      'falsified/decision-more-in-document.json',
      'falsified/plain-text.json',
      'partial/decision-input-withheld.json',
    ];
    const code = async (...files: string[]) => (await run(command, [...files, ...trust])).code;
    const codes = [code(good), code(good, part), code(good, part, lost), code(good, part, lost, bad)];
    expect(await Promise.all(codes)).toEqual([0, 3, 2, 1]);
  }, 120_000);

  test('a proof without a trusted key is consistent, and an invalid --key exits with code 2', async () => {
    const file = 'genuine/decision-whole.json';
    expect(await run(command, [file])).toMatchObject({
      lines: [`${file}: consistent: it agrees with itself; no trusted key was named; outcome: none shown`],
      code: 3,
    });
    const other = 'other.example+00000000+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs';
    expect(await run(command, [file, '--key', other])).toMatchObject({ out: '', code: 2 });
  });

  test('invalid arguments exit with code 2', async () => {
    const senseless = [
      [],
      ['--nonsense'],
      ['x.json', '--key', 'abc'],
      ['x.json', '--key', witnesses[0]],
      ['x.json', '--witness', keys[0]],
      ['x.json', '--key'],
      ['x.json', '--quorum', 'many'],
      ['x.json', '--quorum', '2', '--witness', witnesses[0]],
      ['x.json', '--quorum', '2', '--witness', witnesses[0], witnesses[0]],
      ['x.json', '--keys-from', 'nowhere'],
    ];
    const answers = await Promise.all(
      senseless.map(async (args) => ({ args, ...(await run(command, args)) })),
    );
    expect(answers).toEqual(senseless.map((args) => expect.objectContaining({ args, out: '', code: 2 })));
    expect((await run(command, ['--help'])).code).toBe(0);
  }, 120_000);

  test('a missing or binary file is unreadable', async () => {
    const folder = temporary();
    writeFileSync(join(folder, 'bytes.json'), Buffer.of(0x7b, 0xff, 0x7d));
    expect(await run(command, ['nothing.json', 'bytes.json'], folder)).toMatchObject({
      lines: [
        'nothing.json: unreadable: there is no such file',
        'bytes.json: unreadable: it is not UTF-8 text',
      ],
      code: 2,
    });
  });

  test('a document cannot inject lines into the output', async () => {
    const folder = temporary();
    const genuine = readFileSync(join(vectors, 'genuine/decision-whole.json'), 'utf8');
    const forged = { ...JSON.parse(genuine), 'x\nother.json: proven: signed by \u202eeverybody': 1 };
    writeFileSync(join(folder, 'forged.json'), JSON.stringify(forged));
    const { lines } = await run(command, ['forged.json'], folder);
    expect(lines).toEqual([
      'forged.json: refuted: x\\u000aother.json: proven: signed by \\u202eeverybody is unknown',
    ]);
  });

  test('--json prints JSON', async () => {
    const { out } = await run(command, ['genuine/decision-whole.json', ...trust, '--json']);
    const [verdict, reason] = verdicts['genuine/decision-whole.json']!.split(/: (.*)/);
    expect(JSON.parse(out)).toEqual([{ file: 'genuine/decision-whole.json', verdict, reason }]);
  });

  test('--state stores seen records, and keeps evidence of a contradicting history', async () => {
    const folder = temporary();
    const state = join(folder, 'state.json');
    const [one, other] = [
      'contradicting/decision-as-told-to-one.json',
      'contradicting/decision-as-told-to-another.json',
    ];
    const seen = await run(command, [one, ...trust, '--state', state]);
    expect(seen).toMatchObject({ code: 0, err: '' });
    expect((await run(command, [one, ...trust, '--state', state])).code).toBe(0);
    const told = await run(command, [other, ...trust, '--state', state]);
    const reason = 'it contradicts the state: another record at place 0 of proof.example/chains/12/proof';
    expect(told).toMatchObject({ lines: [`${other}: refuted: ${reason}`], code: 1 });
    const kept = JSON.parse(readFileSync(state, 'utf8'));
    expect(kept.contradictions).toMatchObject([{ file: other, reason }]);
    expect(kept.contradictions[0].checkpoints[0]).toContain('proof.example/chains/12/proof\n2\n');
    expect(kept.records).toContainEqual(expect.objectContaining({ index: 0, trusted: true }));
    // An untrusted claim does not count against a trusted one.
    expect((await run(command, [other, '--state', state])).code).toBe(1);
    writeFileSync(state, '{}');
    expect((await run(command, [one, ...trust, '--state', state])).code).toBe(2);
  }, 120_000);
});

describe.runIf(hasPython)('both verifiers', () => {
  test('detect contradictions across separate calls', async () => {
    const pairs = [
      ['outcome-executed', 'outcome-failed', 'another outcome of the decision'],
      ['mandate-use-1-for-one-refund', 'mandate-use-1-for-another-refund', 'another use 1 of the mandate'],
      ['mandate-use-2-after-use-1', 'mandate-use-3-after-use-1', 'are not linked'],
      ['mandate-use-1-before-another', 'mandate-use-2-after-another', 'are not linked'],
      ['mandate-use-1-that-spends', 'mandate-use-2-that-spends-nothing', 'do not add up'],
      ['decision-sealed', 'decision-rejected', 'was both sealed and rejected'],
      ['decision-sealed-once', 'decision-sealed-twice', 'another record of the decision'],
      ['decision-rejected-once', 'decision-rejected-twice', 'another record of the decision'],
      ['mandate-under-a-grant', 'mandate-grant-sealed-twice', 'another record of the decision'],
    ] as const;
    const folder = temporary();
    const fileOf = (name: string) => `contradicting/${name}.json`;
    for (const command of commands) {
      const state = join(folder, `${command}.json`);
      const first = await run(command, [...pairs.map(([one]) => fileOf(one)), ...trust, '--state', state]);
      expect([command, first.code]).toEqual([command, 0]);
      const second = await run(command, [
        ...pairs.map(([, other]) => fileOf(other)),
        ...trust,
        '--state',
        state,
      ]);
      expect(second.code).toBe(1);
      expect(second.lines).toEqual(
        pairs.map(([, other, reason]) =>
          expect.stringMatching(`^${fileOf(other)}: refuted: it contradicts the state: .*${reason}`),
        ),
      );
    }
  }, 120_000);

  test('read states of earlier versions, and complete them', async () => {
    const folder = temporary();
    for (const command of commands) {
      const state = join(folder, `${command}.json`);
      const check = (name: string) =>
        run(command, [`contradicting/${name}.json`, ...trust, '--state', state]);
      expect((await check('outcome-executed')).code).toBe(0);
      const { decisions, ...seen } = JSON.parse(readFileSync(state, 'utf8'));
      const earlier = decisions.map(({ hash: _, ...each }: { hash: string }) => each);
      writeFileSync(state, JSON.stringify({ ...seen, records: [], decisions: earlier }));
      expect((await check('outcome-executed')).code).toBe(0);
      expect(JSON.parse(readFileSync(state, 'utf8')).decisions).toMatchObject([{ hash: decisions[0].hash }]);
    }
  }, 120_000);

  test('read states of earlier versions, which compare uses of a mandate by its id', async () => {
    const one = 'contradicting/mandate-use-1-for-one-refund.json';
    const other = 'contradicting/mandate-use-1-for-another-refund.json';
    for (const command of commands) {
      const state = join(temporary(), 'state.json');
      await run(command, [one, ...trust, '--state', state]);
      const kept = JSON.parse(readFileSync(state, 'utf8'));
      for (const decision of kept.decisions)
        for (const member of ['grant', 'hash', 'previous', 'spent', 'deducted']) delete decision[member];
      writeFileSync(state, JSON.stringify(kept));
      expect((await run(command, [one, ...trust, '--state', state])).code).toBe(0);
      // What the earlier version did not keep is added.
      expect(JSON.parse(readFileSync(state, 'utf8')).decisions[0]).toMatchObject({
        spent: 4250,
        previous: '',
      });
      const second = await run(command, [other, ...trust, '--state', state]);
      expect(second.lines.join()).toContain('another use 1 of the mandate mnd_refunds');
    }
  }, 120_000);

  test('give proofs of a retired key at most the verdict consistent', async () => {
    const files = filesIn('consistent');
    const documents = files.map((file) => readFileSync(join(vectors, file)).toString('base64'));
    const question = (until: string | null) => [
      'proofs',
      {
        keys: [{ vkey: retired.key, isUnvouched: false, until }],
        witnesses,
        quorum,
        now: '2026-06-01T00:00:00.000Z',
      },
      documents,
    ];
    const python = new PythonProcess();
    onTestFinished(() => python.end());
    // A cosignature from before the key was retired shows that the record existed by then.
    const [after, before] = await python.ask<string[]>([
      question(retired.until),
      question('2026-02-01T08:00:00.000Z'),
    ]);
    expect(after).toEqual(files.map((file) => verdicts[file]));
    for (const line of before!) expect(line).toMatch(/^proven: /);
  });

  test('write the same state', async () => {
    const folder = temporary();
    // Every third: the individual messages are tested above.
    const files = filesIn('genuine').filter((_, i) => i % 3 === 0);
    const states = await Promise.all(
      commands.map(async (command) => {
        const state = join(folder, `${command}.json`);
        const genuine = await run(command, [...files, ...trust, '--state', state]);
        expect([genuine.lines, genuine.code]).toEqual([expected(files), 0]);
        await run(command, [...filesIn('contradicting'), ...trust, '--state', state]);
        return readFileSync(state, 'utf8');
      }),
    );
    expect(states[0]).toBe(states[1]);
  }, 120_000);
});
