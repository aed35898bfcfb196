import type { TadaDocumentNode } from 'gql.tada';
import { type ReactNode, useEffect, useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { Lines, Problem } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { mailedToken } from './mailed-token.ts';

interface MailedLinkProps<Data> {
  title: string;
  /** Reads what the token of the link is for. */
  query: TadaDocumentNode<Data, { input: { token: string } }>;
  /** Shown if the token is missing, used or expired. */
  invalid: ReactNode;
  children: (data: Data, token: string) => ReactNode;
}

/** A page that is opened by a link in a mail. */
export function MailedLink<Data>({ title, query, invalid, children }: MailedLinkProps<Data>) {
  const { run, failure } = useAction(query, { quiet: true });
  const [data, setData] = useState<Data | null>(null);
  useEffect(() => {
    if (mailedToken) void run({ input: { token: mailedToken } }).then(setData);
  }, [run]);
  if (mailedToken && data) return children(data, mailedToken);
  const isInvalid = !mailedToken || failure?.code === 'UNAUTHORIZED' || failure?.code === 'NOT_FOUND';
  return (
    <EntryFrame title={title}>
      {isInvalid ? invalid : failure ? <Problem small failure={failure} /> : <Lines count={3} />}
    </EntryFrame>
  );
}
