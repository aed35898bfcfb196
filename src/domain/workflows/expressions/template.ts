import { type ExpressionScope, evaluate, expressionProblem, stepsReadBy } from './expression.ts';

/** Text around `{{ expression }}`. */
const PLACEHOLDER = /\{\{(.*?)\}\}/gs;
const WHOLE = /^\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s;

export const MAX_RENDERED_LENGTH = 64 * 1024;

export function expressionsIn(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => match[1]!.trim());
}

/** What is wrong with the expressions of a template; null when nothing is. */
export function templateProblem(template: string): string | null {
  for (const expression of expressionsIn(template)) {
    const problem = expressionProblem(expression);
    if (problem) return `{{ ${expression} }}: ${problem}`;
  }
  return null;
}

export function stepsReadByTemplate(template: string): string[] {
  return expressionsIn(template).flatMap(stepsReadBy);
}

/** The text with every expression replaced by its value; objects and lists appear as JSON. */
export function renderText(template: string, scope: ExpressionScope): string {
  let length = 0;
  return template.replace(PLACEHOLDER, (_, expression: string) => {
    const value = evaluate(expression.trim(), scope);
    const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    length += text.length;
    if (length > MAX_RENDERED_LENGTH)
      throw new Error(`the text grows over ${MAX_RENDERED_LENGTH} characters`);
    return text;
  });
}

/**
 * JSON with templates in its strings. A string that is one expression and nothing else becomes the value itself, so
 * that numbers and objects keep their kind.
 */
export function renderJson(value: unknown, scope: ExpressionScope): unknown {
  if (typeof value === 'string') {
    const whole = WHOLE.exec(value);
    return whole ? evaluate(whole[1]!.trim(), scope) : renderText(value, scope);
  }
  if (Array.isArray(value)) return value.map((each) => renderJson(each, scope));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renderJson(each, scope)]));
  }
  return value;
}

/** Every string inside a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(stringsIn);
  return [];
}
