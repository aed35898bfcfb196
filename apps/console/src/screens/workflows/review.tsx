import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useDraft } from '../../browser/use-draft.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRoleNames } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import classes from './workflows.module.css';

const DecideReview = graphql(`
  mutation DecideReview($input: DecideWorkflowReviewInput!) {
    decideWorkflowReview(input: $input) { id status }
  }
`);

interface ReviewProps {
  executionId: string;
  question: { prompt: string; roles: readonly string[]; forMe: boolean };
  onDone: () => void;
}

/** A question of a workflow, with the form for the answer. */
export function Review({ executionId, question: { prompt, roles, forMe }, onDone }: ReviewProps) {
  const names = useRoleNames();
  const [reason, setReason, clearReason, restored] = useDraft(`answer ${executionId}`, '');
  const act = useAction(DecideReview, { quiet: true, done: 'Your answer was recorded.' });
  const decide = async (approved: boolean) => {
    const done = await act.run({ input: { executionId, approved, reason: reason.trim() || undefined } });
    if (!done) return;
    clearReason();
    onDone();
  };
  return (
    <Stack>
      <FailureNote failure={act.failure} />
      <p className={classes.question}>{prompt}</p>
      {forMe ? (
        <>
          <RestoredDraft shown={restored} onDiscard={clearReason} />
          <Textarea
            label="Reason"
            autosize
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Group>
            <Button loading={act.busy} onClick={() => void decide(true)}>
              Yes, continue
            </Button>
            <Button variant="default" loading={act.busy} onClick={() => void decide(false)}>
              No
            </Button>
          </Group>
        </>
      ) : (
        <p className={classes.small}>To be answered by: {roles.map(names.many).join(' or ')}.</p>
      )}
    </Stack>
  );
}
