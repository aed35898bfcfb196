import { accounts, DEMO_PASSWORD } from './accounts.ts';
import type { DemoSeed } from './demo.ts';

/** URLs, accounts and the API key, printed at start. */
export function banner(base: string, { apiKey, sealedEventId }: DemoSeed): string {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  const lines = [
    'Countersign is running with demo data.',
    '',
    `  Console       ${base}`,
    `  Guides        ${base}/docs`,
    `  REST          ${base}/api`,
    `  API docs      ${base}/api/docs`,
    `  GraphQL       ${base}/graphql`,
    ...(sealedEventId ? [`  A proof       ${base}/verify/${sealedEventId}`] : []),
    '',
    `  Accounts, all with the password ${DEMO_PASSWORD}`,
    ...accounts.map(({ email, shows }) => `    ${email.padEnd(width)}  ${shows}`),
    '',
    apiKey
      ? `  API key of demo-rehab, shown this once: ${apiKey}`
      : '  The API key of demo-rehab was shown at the first start. Create another one in the console under API keys.',
  ];
  return `\n${lines.join('\n')}\n\n`;
}
