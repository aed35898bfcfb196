import { type Html, html, Html as Markup } from '../html.ts';
import { type Highlight, highlighter } from './highlight.ts';
import type { NavigationGroup } from './layout.ts';
import type { Section } from './markdown.ts';
import { exampleValue, SETUP, tokenVariable } from './reference-values.ts';
import { type CallSample, sample, sampleLanguages } from './samples.ts';
import { atServedAddress } from './served-address.ts';

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Json;
  example: unknown;
}
interface Media {
  schema: Json;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Json[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
export interface Description {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; responses: Json; parameters: Json };
}

export interface Reference {
  main: Html;
  navigation: NavigationGroup[];
  sections: Section[];
}

interface Row extends Operation {
  parameters: Parameter[];
  method: string;
  path: string;
}

/** Every operation, with the shared parameters and responses that it refers to. */
function rowsOf({ paths, components }: Description): Row[] {
  const shared = <T extends object>(each: T, kind: 'parameters' | 'responses'): T =>
    '$ref' in each ? (components[kind][String(each.$ref).split('/').at(-1)!] as T) : each;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, row]) => ({
      ...row,
      parameters: (row.parameters ?? []).map((parameter) => shared(parameter, 'parameters')),
      responses: Object.fromEntries(
        Object.entries(row.responses).map(([status, response]) => [status, shared(response, 'responses')]),
      ),
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The whole API on one page, generated from the OpenAPI document. */
export async function renderReference(description: Description, publicUrl: string): Promise<Reference> {
  const highlight = await highlighter();
  const rows = rowsOf(description);
  const groups = description.tags.map((tag) => ({
    ...tag,
    rows: rows.filter(({ tags }) => tags[0] === tag.name),
  }));
  return {
    navigation: groups.map(({ name, rows: own }) => ({
      title: name,
      links: own.map(({ operationId, summary, method }) => ({
        href: `#${operationId}`,
        text: summary,
        method,
      })),
    })),
    sections: rows.map(({ operationId, summary, path, description: text = '' }) => ({
      id: operationId,
      title: summary,
      text: `${path} ${operationId} ${text}`,
    })),
    main: html`
      <h1>API reference</h1>
      <p>Platform paths take an access token as bearer token, or the session cookie; paths under <code>/v1</code> take an API key. Machines read
      <a href="/api/openapi.json">openapi.json</a>. Examples take tokens and ids from the environment.</p>
      <details><summary>Set up the examples</summary>
        <p>Paste this into <code>bash</code>. It signs in to a server with demo data, creates what the examples refer to, and exports the variables. It stops at the first error.</p>
        ${new Markup(highlight(atServedAddress(SETUP, publicUrl), 'sh'))}</details>
      <p><label for="language">Examples in </label><select id="language">${sampleLanguages.map(
        ({ name, title }) => html`<option value="${name}">${title}</option>`,
      )}</select></p>
      ${groups.map(
        (group) => html`<section><h2>${group.name}</h2><p>${group.description}</p>
          ${group.rows.map((row) => operation(row, description, highlight))}</section>`,
      )}`,
  };
}

function operation(row: Row, description: Description, highlight: Highlight): Html {
  const body = Object.values(row.requestBody?.content ?? {})[0];
  const [status, success] = Object.entries(row.responses).find(([code]) => Number(code) < 400)!;
  const answer = Object.values(success.content ?? {})[0];
  const failures = Object.entries(row.responses).filter(([code]) => Number(code) >= 400);
  return html`<article class="operation" id="${row.operationId}">
    <h3><span class="method ${row.method}">${row.method}</span> <code>/api${row.path}</code></h3>
    <p><strong>${row.summary}.</strong> ${prose(row.description)}</p>
    ${row.parameters.length > 0 && parameterTable(row.parameters)}
    ${body && html`<h4>Body</h4>${propertyTable(body.schema, description)}`}
    <h4>Example</h4>
    ${sampleLanguages.map(
      ({ name, highlight: language }) =>
        html`<div class="sample ${name}">${new Markup(highlight(sample(name, callOf(row, body)), language))}</div>`,
    )}
    ${answer && html`<details><summary>Answer ${status}</summary>${new Markup(highlight(JSON.stringify(answer.example, null, 2), 'json'))}${propertyTable(answer.schema, description)}</details>`}
    <details><summary>Failures</summary><dl class="failures">${failures.map(
      ([code, { description: text }]) =>
        html`<dt>${code}</dt><dd>${text.split('\n\n').map((line) => html`<p>${prose(line)}</p>`)}</dd>`,
    )}</dl></details>
  </article>`;
}

/** Descriptions mark code with backticks. */
const prose = (text = ''): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** An example query: the required parameters and up to two filters. Cursors come from an earlier response. */
const CURSORS = new Set(['after', 'before', 'cursor']);

function callOf(row: Row, body: Media | undefined): CallSample {
  const { operationId } = row;
  const givenValue = ({ name, example }: Parameter) => {
    const value = String(exampleValue(operationId, name, example));
    return value.startsWith('$') ? value : encodeURIComponent(value);
  };
  const given = (place: string) => row.parameters.filter((parameter) => parameter.in === place);
  const path = given('path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, () => givenValue(parameter)),
    row.path,
  );
  const query = given('query')
    .filter(({ name }) => !CURSORS.has(name))
    .slice(0, 2)
    .map((parameter) => `${parameter.name}=${givenValue(parameter)}`)
    .join('&');
  const isKey = row.security.length > 0 && 'apiKey' in row.security[0]!;
  const members = Object.entries((body?.example ?? {}) as Json);
  return {
    method: row.method,
    path: query ? `${path}?${query}` : path,
    credential: row.security.length === 0 ? null : isKey ? 'KEY' : tokenVariable(row.path),
    ...(body && {
      body: Object.fromEntries(
        members.map(([name, value]) => [name, exampleValue(operationId, name, value)]),
      ),
    }),
  };
}

/** An example call for every operation. */
export function exampleCalls(description: Description): { operationId: string; call: CallSample }[] {
  return rowsOf(description).map((row) => ({
    operationId: row.operationId,
    call: callOf(row, Object.values(row.requestBody?.content ?? {})[0]),
  }));
}

function parameterTable(parameters: Parameter[]): Html {
  return table(
    ['Parameter', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, schema, description: text }) => [
      html`<code>${name}</code>${required && html` <span class="required">required</span>`}`,
      html`${typeOf(schema)}, ${place}`,
      prose(text),
    ]),
  );
}

/** Two levels deep: enough to write a call, and short enough to read. */
function propertyTable(schema: Json, description: Description): Html {
  const rows: Html[][] = [];
  const walk = (node: Json, prefix: string, depth: number) => {
    const { properties = {}, required = [] } = resolve(node, description) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      const target = resolve(property, description);
      rows.push([
        html`<code>${prefix}${name}</code>${required.includes(name) && html` <span class="required">required</span>`}`,
        html`${typeOf(target)}`,
        html`${prose(property['description'] as string)}${choices(target)}`,
      ]);
      const items =
        target['type'] === 'array' ? resolve((target['items'] as Json) ?? {}, description) : target;
      if (depth < 2) walk(items, `${prefix}${name}.`, depth + 1);
    }
  };
  walk(schema, '', 0);
  return rows.length === 0 ? html`` : table(['Member', 'Type', 'Meaning'], rows);
}

function resolve(schema: Json, { components }: Description): Json {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return components.schemas[reference.split('/').at(-1)!] ?? {};
  const options = schema['anyOf'] as Json[] | undefined;
  return options ? { ...resolve(options[0]!, { components } as Description), nullable: true } : schema;
}

function typeOf(schema: Json): string {
  const base = [schema['type'] ?? 'any'].flat().join(' or ');
  return schema['nullable'] ? `${base} or null` : base;
}

function choices(schema: Json): Html {
  const values = schema['enum'] as string[] | undefined;
  return values
    ? html` One of ${values.map((value, i) => html`${i > 0 && ', '}<code>${value}</code>`)}.`
    : html``;
}

function table(head: string[], rows: Html[][]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${head[0]}s"><table>
    <thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
