/** Samples of one call for the shell and for two languages. */
export interface CallSample {
  method: string;
  /** With example values in place of parameters, including the query. `$NAME` is an environment variable. */
  path: string;
  /** The environment variable with the token or key. */
  credential: string | null;
  /** A member whose whole text is `$NAME` gets the value of that environment variable. */
  body?: unknown;
}

export const sampleLanguages = [
  { name: 'curl', title: 'curl', highlight: 'sh' },
  { name: 'typescript', title: 'TypeScript', highlight: 'ts' },
  { name: 'python', title: 'Python', highlight: 'python' },
] as const;

export function sample(language: (typeof sampleLanguages)[number]['name'], call: CallSample): string {
  return { curl, typescript, python }[language](call);
}

/** Variables that hold a number. */
const NUMBERS = new Set(['CENTER_ID']);
const IN_PATH = /\$([A-Z_]+)/g;
const IN_BODY = /"\$([A-Z_]+)"/g;

function curl({ method, path, credential, body }: CallSample): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE/api${path}"`,
    ...(credential ? [`-H "Authorization: Bearer $${credential}"`] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellText(body)}`]),
  ].join(' \\\n  ');
}

/** Quoted for a shell, with the variables outside the single quotes. */
function shellText(body: unknown): string {
  const text = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  const filled = text.replaceAll(IN_BODY, (_, name: string) =>
    NUMBERS.has(name) ? `'"$${name}"'` : `"'"$${name}"'"`,
  );
  return `'${filled}'`;
}

function typescript({ method, path, credential, body }: CallSample): string {
  const headers = [
    ...(credential ? [`Authorization: \`Bearer \${process.env.${credential}}\``] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const given = JSON.stringify(body, null, 2)?.replaceAll(IN_BODY, (_, name: string) =>
    NUMBERS.has(name) ? `Number(process.env.${name})` : `process.env.${name}`,
  );
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(given === undefined ? [] : [`  body: JSON.stringify(${indent(given)}),`]),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the sample
  const address = path.replaceAll(IN_PATH, '${process.env.$1}');
  return `const response = await fetch(\`\${process.env.BASE}/api${address}\`${call});\nconsole.log(response.status, await response.text());`;
}

function python({ method, path, credential, body }: CallSample): string {
  const headers = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${credential}']}"`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const given = pythonLiteral(body).replaceAll(IN_BODY, (_, name: string) =>
    NUMBERS.has(name) ? `int(os.environ["${name}"])` : `os.environ["${name}"]`,
  );
  const data = body === undefined ? [] : [`    data=json.dumps(${indent(given, '    ')}).encode(),`];
  const address = `/api${path}`.replaceAll(IN_PATH, "{os.environ['$1']}");
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["BASE"] + ${address.includes('{') ? 'f' : ''}"${address}",`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...data,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

const indent = (text: string, by = '  ') => text.replaceAll('\n', `\n${by}`);

/** JSON is valid Python except for three words, which occur only outside strings here. */
function pythonLiteral(value: unknown, level = 0): string {
  const pad = '  '.repeat(level + 1);
  const end = '  '.repeat(level);
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) {
    const items = value.map((item) => `${pad}${pythonLiteral(item, level + 1)},`);
    return items.length === 0 ? '[]' : `[\n${items.join('\n')}\n${end}]`;
  }
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([key, member]) => `${pad}${JSON.stringify(key)}: ${pythonLiteral(member, level + 1)},`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${end}}`;
  }
  return JSON.stringify(value);
}
