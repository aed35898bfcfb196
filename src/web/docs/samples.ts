/** How one call looks in a shell and in two languages. */
interface CallSample {
  method: string;
  /** With example values in place of parameters, the query included. */
  path: string;
  credential: 'token' | 'key' | null;
  body?: unknown;
}

export const sampleLanguages = [
  { name: 'curl', title: 'curl', highlight: 'sh' },
  { name: 'typescript', title: 'TypeScript', highlight: 'ts' },
  { name: 'python', title: 'Python', highlight: 'python' },
] as const;

const variable = { token: 'TOKEN', key: 'KEY' };

export function sample(language: (typeof sampleLanguages)[number]['name'], call: CallSample): string {
  return { curl, typescript, python }[language](call);
}

function curl({ method, path, credential, body }: CallSample): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE/api${path}"`,
    ...(credential ? [`-H "Authorization: Bearer $${variable[credential]}"`] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ');
}

function typescript({ method, path, credential, body }: CallSample): string {
  const headers = [
    ...(credential ? [`Authorization: \`Bearer \${process.env.${variable[credential]}}\``] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`]),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(\`\${process.env.BASE}/api${path}\`${call});\nconsole.log(response.status, await response.json());`;
}

function python({ method, path, credential, body }: CallSample): string {
  const headers = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${variable[credential]}']}"`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const data =
    body === undefined ? [] : [`    data=json.dumps(${indent(pythonLiteral(body), '    ')}).encode(),`];
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["BASE"] + ${JSON.stringify(`/api${path}`)},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...data,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

const indent = (text: string, by = '  ') => text.replaceAll('\n', `\n${by}`);

/** JSON is Python but for three words, which only stand outside of strings here. */
function pythonLiteral(value: unknown, level = 0): string {
  const pad = '  '.repeat(level + 1);
  const end = '  '.repeat(level);
  if (value === null) return 'None';
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
