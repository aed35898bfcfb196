// The six questions as an export answers them.
import type { JsonValue } from '../../../proof-kit/index.ts';
import type { SixW } from '../six-w.ts';

/** A few plain facts for each question: linked-data tools keep those without loss, whatever was in the record. */
const ANSWERS: Record<keyof SixW, Record<string, string[]>> = {
  who: { id: ['actor', 'id'], name: ['actor', 'name'], type: ['actor', 'type'], role: ['actor', 'role'] },
  what: {
    type: ['type'],
    description: ['description'],
    referenceType: ['referenceType'],
    referenceId: ['referenceId'],
  },
  when: { occurredAt: ['occurredAt'], recordedAt: ['recordedAt'] },
  where: {
    id: ['centerId'],
    name: ['centerName'],
    centerDomain: ['centerDomain'],
    country: ['country'],
    region: ['region'],
  },
  why: { reason: ['reason'], reasoning: ['reasoning'], reference: ['reference'] },
  how: { method: ['method'] },
};

export function plainAnswers(sixW: SixW): { [question: string]: { [fact: string]: JsonValue } } {
  const questions = Object.keys(ANSWERS) as (keyof SixW)[];
  return Object.fromEntries(
    questions.map((question) => [
      question,
      Object.fromEntries(
        Object.entries(ANSWERS[question])
          .map(([fact, path]) => [fact, at(sixW[question], path)] as const)
          .filter(([, value]) => isPlain(value)),
      ) as { [fact: string]: JsonValue },
    ]),
  );
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';
