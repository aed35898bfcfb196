import { expressionProblem } from './expression.ts';

const MAX_RENDERED_LENGTH = 64 * 1024;

/** Returns the value of an expression, as plain JSON. */
export type EvaluateExpression = (source: string) => unknown;

/** A part of a template: literal text, or an expression from `{{ }}`. */
interface Part {
  text: string;
  isExpression: boolean;
}

/** A single pass. A regular expression would search for the end again from every opening. */
function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < template.length) {
    const start = template.indexOf('{{', at);
    const end = start === -1 ? -1 : template.indexOf('}}', start + 2);
    if (end === -1) break;
    if (start > at) parts.push({ text: template.slice(at, start), isExpression: false });
    parts.push({ text: template.slice(start + 2, end).trim(), isExpression: true });
    at = end + 2;
  }
  if (at < template.length) parts.push({ text: template.slice(at), isExpression: false });
  return parts;
}

export function expressionsIn(template: string): string[] {
  return partsOf(template).flatMap(({ text, isExpression }) => (isExpression ? [text] : []));
}

/** Why the expressions of a template are invalid; null if they are valid. */
export function templateProblem(template: string): string | null {
  for (const expression of expressionsIn(template)) {
    const problem = expressionProblem(expression);
    if (problem) return `{{ ${expression} }}: ${problem}`;
  }
  return null;
}

/** The text with every expression replaced by its value. Objects and lists appear as JSON. */
export function renderText(template: string, evaluate: EvaluateExpression): string {
  let length = 0;
  const rendered = partsOf(template).map(({ text, isExpression }) => {
    if (!isExpression) return text;
    const value = evaluate(text);
    const shown = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    length += shown.length;
    if (length > MAX_RENDERED_LENGTH) throw new Error(`the text exceeds ${MAX_RENDERED_LENGTH} characters`);
    return shown;
  });
  return rendered.join('');
}

/**
 * JSON with templates in its strings. A string that is exactly one expression becomes the value itself, so that numbers and
 * objects keep their type.
 */
export function renderJson(value: unknown, evaluate: EvaluateExpression): unknown {
  if (typeof value === 'string') {
    const [only, ...others] = partsOf(value.trim());
    return only?.isExpression && others.length === 0 ? evaluate(only.text) : renderText(value, evaluate);
  }
  if (Array.isArray(value)) return value.map((each) => renderJson(each, evaluate));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renderJson(each, evaluate)]));
  }
  return value;
}

/** Every string inside a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(stringsIn);
  return [];
}
