import { type ExportDocument, isDecisionEvidence } from '../../proof-kit/index.ts';

/**
 * A copy for everybody: who decided what and who approved it, without what it was decided on. The hashed text is
 * withheld with it, so this copy proves the seal and not the words; the full export proves both.
 */
export function redacted(document: ExportDocument): ExportDocument {
  const { evidence, record } = document;
  const { responsibility: _, ...shown } = evidence;
  return {
    ...document,
    evidence: isDecisionEvidence(shown as typeof evidence)
      ? withoutInputs(shown as Extract<typeof evidence, { event: object }>)
      : { ...(shown as Exclude<typeof evidence, { event: object }>), content: null, metadata: {} },
    record: { ...record, content: null },
  };
}

type Decision = Extract<ExportDocument['evidence'], { event: object }>;

function withoutInputs(evidence: Decision): Decision {
  const { event } = evidence;
  const { input: _, output: __, ...action } = event.action;
  // A model's reasoning quotes what it was given.
  const { reasoning: ___, ...aiContext } = event.aiContext ?? {};
  return { ...evidence, event: { ...event, action, ...(event.aiContext && { aiContext }) } };
}
