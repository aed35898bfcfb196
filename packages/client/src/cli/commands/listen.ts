import { randomBytes } from 'node:crypto';
import { wait } from '../../http.ts';
import { type Command, EXIT, lists, type Printer, text, texts } from '../command.ts';
import { deliver } from '../deliver.ts';
import { coversType, events, type PlatformEvent } from '../events.ts';
import { changeProfile, readProfile } from '../profile.ts';
import { personSession } from '../session.ts';

/** Delays between attempts at the local endpoint, which developers restart often. */
const RETRY_DELAYS = [500, 1_000, 2_000, 4_000];

export const listen: Command = {
  summary: 'pass live events on to a local endpoint',
  help: `countersign listen --forward-to URL [--event PATTERN …] [--secret SECRET] [--since EVENT_ID]

Events of the center are posted to URL as webhooks would be, signed with the secret (one is made and shown when none is
given). It goes on where it was when it was last stopped. Ends with Ctrl+C.`,
  options: { ...texts('forward-to', 'secret', 'since'), ...lists('event') },
  async run({ values, print, signal }) {
    const target = text(values, 'forward-to');
    const secret = text(values, 'secret') ?? `whsec_${randomBytes(32).toString('base64')}`;
    const patterns = (values['event'] ?? ['*']) as string[];
    const session = await personSession();
    const since = text(values, 'since') ?? (await readProfile()).lastEventId ?? null;
    if (target && !text(values, 'secret')) print.line(`Signing secret: ${secret}`);
    const listening = () =>
      print.line(`Listening to ${session.baseUrl}${target ? `, forwarding to ${target}` : ''}`);
    try {
      for await (const event of events(session, since, signal, listening)) {
        if (patterns.some((pattern) => coversType(pattern, event.type))) {
          await pass(event, target, secret, print, signal);
        }
        await changeProfile({ lastEventId: event.id });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return EXIT.done;
  },
};

async function pass(
  event: PlatformEvent,
  target: string | undefined,
  secret: string,
  print: Printer,
  signal: AbortSignal,
): Promise<void> {
  if (!target) {
    print.rows([{ ...event }], ['createdAt', 'type', 'id']);
    return;
  }
  for (let attempt = 1; ; attempt++) {
    const result = await deliver(target, { ...event, deliveryAttempt: attempt }, secret);
    print.rows(
      [{ ...event, attempt, answer: result.answer }],
      ['createdAt', 'type', 'id', 'attempt', 'answer'],
    );
    const delay = RETRY_DELAYS[attempt - 1];
    if (result.accepted || delay === undefined) return;
    await wait(delay, signal);
  }
}
