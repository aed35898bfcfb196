/** What each kind of step is called, and what there is to fill in. */

type FieldKind =
  | 'text'
  | 'long'
  | 'code'
  | 'number'
  | 'json'
  | 'choice'
  | 'choices'
  | 'words'
  | 'target'
  | 'event';

export interface Field {
  /** Where it stands in the step: `action.type` is the member `type` of `action`. */
  path: string;
  label: string;
  kind: FieldKind;
  hint?: string;
  options?: [value: string, label: string][];
}

interface Kind {
  label: string;
  about: string;
  fields: Field[];
  /** How a new one begins. */
  start: Record<string, string | number | string[] | Record<string, string>>;
}

const roles: [string, string][] = [
  ['ADMIN', 'Administrators'],
  ['INSTRUCTOR', 'Instructors'],
];

export const kinds: Record<string, Kind> = {
  template: {
    label: 'Write a text',
    about: 'Fills in a text; later steps read it as steps.name.text.',
    fields: [{ path: 'text', label: 'Text', kind: 'long', hint: 'Values stand in {{ }}: {{ center.name }}' }],
    start: { text: '' },
  },
  http: {
    label: 'Call an address',
    about: 'Sends a request to another system and keeps the answer.',
    fields: [
      {
        path: 'method',
        label: 'Method',
        kind: 'choice',
        options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((each) => [each, each]),
      },
      { path: 'url', label: 'Address', kind: 'text', hint: 'https://…' },
      { path: 'headers', label: 'Headers', kind: 'json', hint: 'As JSON: {"X-Key": "value"}' },
      { path: 'body', label: 'Body', kind: 'json', hint: 'As JSON; values stand in {{ }} inside its texts' },
      { path: 'timeoutSeconds', label: 'Wait at most (seconds)', kind: 'number' },
      { path: 'retry.limit', label: 'Try again at most', kind: 'number' },
    ],
    start: { method: 'POST', url: '' },
  },
  condition: {
    label: 'Go on only if',
    about: 'Looks at what is known and decides how to go on.',
    fields: [
      { path: 'if', label: 'Go on if', kind: 'code', hint: 'parameters.amount > 100' },
      { path: 'otherwise', label: 'Otherwise', kind: 'target' },
    ],
    start: { if: '', otherwise: 'end' },
  },
  wait: {
    label: 'Wait',
    about: 'Goes on after a while, or at a time.',
    fields: [
      { path: 'seconds', label: 'Seconds', kind: 'number' },
      { path: 'until', label: 'Or until', kind: 'code', hint: 'An expression that gives a time' },
    ],
    start: { seconds: 60 },
  },
  emit_event: {
    label: 'Tell subscribers',
    about: 'Sends an event to the webhooks that listen.',
    fields: [
      { path: 'type', label: 'Event', kind: 'event' },
      { path: 'data', label: 'Data', kind: 'json' },
    ],
    start: { type: 'agent.decision.completed' },
  },
  record_decision: {
    label: 'Record a decision',
    about: 'Puts a decision on record; the policy in force says whether somebody approves it.',
    fields: [
      { path: 'action.type', label: 'Action', kind: 'text', hint: 'therapy.plan_changed' },
      { path: 'action.description', label: 'Description', kind: 'text' },
      { path: 'action.input', label: 'What it was given', kind: 'json' },
      { path: 'action.output', label: 'What came of it', kind: 'json' },
      { path: 'tags', label: 'Tags', kind: 'words' },
    ],
    start: { action: { type: '' } },
  },
  human_review: {
    label: 'Ask a person',
    about: 'Waits until somebody has looked at it.',
    fields: [
      { path: 'prompt', label: 'Question', kind: 'long' },
      { path: 'roles', label: 'Who decides', kind: 'choices', options: roles },
      {
        path: 'onReject',
        label: 'If they say no',
        kind: 'choice',
        options: [
          ['fail', 'The run fails'],
          ['continue', 'It goes on'],
        ],
      },
    ],
    start: { prompt: '', roles: ['ADMIN'], onReject: 'fail' },
  },
  ai: {
    label: 'Ask a model',
    about: 'What it says stays a draft until a person raises it.',
    fields: [
      { path: 'prompt', label: 'Prompt', kind: 'long' },
      { path: 'system', label: 'Instructions', kind: 'long' },
      { path: 'model', label: 'Model', kind: 'text', hint: 'Empty: the one that the installation names' },
      { path: 'maxTokens', label: 'Longest answer (tokens)', kind: 'number' },
      { path: 'temperature', label: 'Temperature', kind: 'number' },
    ],
    start: { prompt: '' },
  },
};

export const kindWords = (kind: string) => kinds[kind]?.label ?? kind;
