/** The labels and fields of each kind of step. */

import type { ComboboxData } from '@mantine/core';
import { choicesOf } from '../../ui/filters.tsx';
import type { StepDraft } from './definitions.ts';

type FieldKind =
  | 'text'
  /** One line with expressions in `{{ }}`. */
  | 'line'
  | 'long'
  | 'code'
  | 'number'
  | 'integer'
  | 'switch'
  | 'json'
  | 'choice'
  /** Roles that can review. */
  | 'roles'
  | 'words'
  | 'target'
  | 'event';

export interface Field {
  /** The path in the step: `action.type` is the member `type` of `action`. */
  path: string;
  label: string;
  kind: FieldKind;
  hint?: string;
  options?: ComboboxData;
  min?: number;
  required?: boolean;
}

interface Kind {
  label: string;
  about: string;
  fields: Field[];
  /** The initial value. */
  start: StepDraft;
}

export const kinds: Record<string, Kind> = {
  template: {
    label: 'Text',
    about: 'Fills in a text template. Later steps can use steps.name.text.',
    fields: [
      { path: 'text', label: 'Text', kind: 'long', hint: 'Insert values with {{ }}: {{ center.name }}' },
    ],
    start: { text: '' },
  },
  http: {
    label: 'HTTP request',
    about: 'Sends a request to another system and stores the response.',
    fields: [
      { path: 'method', label: 'Method', kind: 'choice', options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      { path: 'url', label: 'Address', kind: 'line', hint: 'https://…' },
      { path: 'headers', label: 'Headers', kind: 'json', hint: 'As JSON: {"X-Key": "value"}' },
      { path: 'body', label: 'Body', kind: 'json', hint: 'JSON; insert values with {{ }}' },
      { path: 'timeoutSeconds', label: 'Timeout (seconds)', kind: 'number', min: 0 },
      { path: 'retry.limit', label: 'Maximum retries', kind: 'number', min: 0 },
    ],
    start: { method: 'POST', url: '' },
  },
  branch: {
    label: 'Branch (if / else)',
    about: 'Runs one of two sides. Both continue with the step after the branch.',
    fields: [{ path: 'if', label: 'If', kind: 'code', hint: 'An expression: facts.members > 100' }],
    start: { if: '' },
  },
  condition: {
    label: 'Continue only if',
    about: 'Ends, fails or skips ahead if an expression is false.',
    fields: [
      { path: 'if', label: 'Continue if', kind: 'code', hint: 'An expression: facts.decisionsWaiting > 0' },
      { path: 'otherwise', label: 'Otherwise', kind: 'target' },
    ],
    start: { if: '', otherwise: 'end' },
  },
  wait: {
    label: 'Wait',
    about: 'Continues after a delay or at a given time.',
    fields: [
      { path: 'seconds', label: 'Seconds', kind: 'number', min: 0 },
      { path: 'until', label: 'Or until', kind: 'code', hint: 'An expression that returns a time' },
    ],
    start: { seconds: 60 },
  },
  emit_event: {
    label: 'Tell subscribers',
    about: 'Sends an event to subscribed webhooks.',
    fields: [
      { path: 'type', label: 'Event', kind: 'event' },
      { path: 'data', label: 'Data', kind: 'json' },
    ],
    start: { type: 'agent.decision.completed' },
  },
  record_decision: {
    label: 'Record a decision',
    about: 'Records a decision. The current policy decides whether it needs an approval.',
    fields: [
      { path: 'action.type', label: 'Action', kind: 'line', hint: 'therapy.plan_changed' },
      { path: 'action.description', label: 'Description', kind: 'line' },
      { path: 'action.input', label: 'Input', kind: 'json' },
      { path: 'action.output', label: 'Output', kind: 'json' },
      { path: 'tags', label: 'Tags', kind: 'words' },
    ],
    start: { action: { type: '' } },
  },
  human_review: {
    label: 'Review',
    about: 'Waits for the decision of a person.',
    fields: [
      { path: 'prompt', label: 'Question', kind: 'long' },
      { path: 'roles', label: 'Who decides', kind: 'roles' },
      {
        path: 'onReject',
        label: 'If rejected',
        kind: 'choice',
        options: choicesOf({ fail: 'Fail the run', continue: 'Continue' }),
      },
    ],
    start: { prompt: '', roles: ['ADMIN'], onReject: 'fail' },
  },
  ai: {
    label: 'AI prompt',
    about: 'The result stays a draft until a person raises its level.',
    fields: [
      { path: 'prompt', label: 'Prompt', kind: 'long' },
      { path: 'system', label: 'Instructions', kind: 'long' },
      { path: 'model', label: 'Model', kind: 'text', hint: 'Leave empty for the default model' },
      { path: 'maxTokens', label: 'Maximum tokens', kind: 'number', min: 0 },
      { path: 'temperature', label: 'Temperature', kind: 'number', min: 0 },
    ],
    start: { prompt: '' },
  },
};

export const kindChoices = Object.entries(kinds).map(([value, { label }]) => ({ value, label }));

export const kindLabel = (kind: string) => kinds[kind]?.label ?? kind;
