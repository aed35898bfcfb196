/** People who approve with passkeys, through the API. */
import type { TestApp } from '../helpers/app.ts';
import { type Quirks, SoftPasskey } from '../helpers/authenticator.ts';

interface Said {
  eventId: string;
  result?: 'approved' | 'rejected';
  reason?: string;
}

interface Answer {
  refused?: string;
  message?: string;
  details?: Record<string, unknown>;
  [name: string]: unknown;
}

export async function ask(
  running: TestApp,
  token: string,
  document: string,
  variables: Record<string, unknown> = {},
): Promise<Answer> {
  const { data, errors } = await running.graphql(document, variables, token);
  if (!errors) return Object.values(data)[0] as Answer;
  const { extensions, message } = errors[0]!;
  const details = extensions.details as Answer['details'];
  return { refused: extensions.code, message, ...(details && { details }) };
}

/** Registers a passkey for the person of a session; also returns the response. */
export async function tryRegister(
  running: TestApp,
  token: string,
  made = new SoftPasskey(new URL(running.config.publicUrl).origin),
): Promise<{ passkey: SoftPasskey; answer: Answer }> {
  const options = await ask(running, token, 'mutation { beginPasskeyRegistration }');
  const finish = `mutation ($response: JSON!) {
    finishPasskeyRegistration(input: { name: "Key", response: $response }) { id } }`;
  return {
    passkey: made,
    answer: await ask(running, token, finish, { response: made.register(options as never) }),
  };
}

export async function registerPasskey(running: TestApp, token: string): Promise<SoftPasskey> {
  const { passkey, answer } = await tryRegister(running, token);
  if (answer.refused) throw new Error(`the passkey was refused: ${answer.message}`);
  return passkey;
}

/** Approves or rejects with a passkey. */
export async function sign(
  running: TestApp,
  token: string,
  passkey: SoftPasskey,
  { result = 'approved', ...words }: Said,
  quirks: Quirks = {},
): Promise<Answer> {
  const said = { ...words, result };
  const prepared = await ask(
    running,
    token,
    'mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }',
    { input: said },
  );
  if (prepared.refused) return prepared;
  const { approvalId, options } = prepared;
  const input = { ...said, approvalId, assertion: passkey.answer(options as never, quirks) };
  return ask(
    running,
    token,
    `mutation ($input: ApproveDecisionInput!) {
      approveDecision(input: $input) { approvalId evidenceLevel approver { id } } }`,
    { input },
  );
}
