import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCenter } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago, agoColumn } from '../../ui/time.tsx';
import { Review } from '../workflows/review.tsx';
import classes from './approvals.module.css';

export const Questions = graphql(`
  query Questions {
    workflowQuestions(first: 50) {
      totalCount
      edges { node { id workflow { id name } question { prompt roles forMe askedAt } } }
    }
  }
`);

type Asked = ResultOf<typeof Questions>['workflowQuestions'];
type Asking = Asked['edges'][number]['node'];

/** Questions of workflows that the person can answer. Each is answered in a dialog, so that nothing moves under the pointer. */
export function WorkflowQuestions({ asked, onAnswered }: { asked: Asked; onAnswered: () => void }) {
  const { centerDomain: center } = useCenter();
  const [open, setOpen] = useState<Asking | null>(null);
  const rows = asked.edges.map(({ node }) => node).filter(({ question }) => question !== null);
  if (rows.length === 0) return null;
  return (
    <Panel
      title="Questions from workflows"
      hint={`${count(asked.totalCount, 'run')} ${asked.totalCount === 1 ? 'waits' : 'wait'} for an answer.`}
      flush
    >
      <Table
        label="Questions from workflows"
        rows={rows}
        columns={[
          {
            name: 'Question',
            cell: ({ question }) => <span className={classes.prompt}>{question!.prompt}</span>,
          },
          {
            name: 'Workflow',
            wideOnly: true,
            cell: ({ id, workflow }) => (
              <TextLink to="/c/$center/workflows/$id/runs/$run" params={{ center, id: workflow.id, run: id }}>
                {workflow.name}
              </TextLink>
            ),
          },
          { ...agoColumn<Asking>('Asked', ({ question }) => question!.askedAt), wideOnly: true },
          {
            name: 'Answer',
            unnamed: true,
            right: true,
            cell: (asking) => (
              <Button size="compact-sm" variant="default" onClick={() => setOpen(asking)}>
                Answer
              </Button>
            ),
          },
        ]}
      />
      <Modal opened={open !== null} onClose={() => setOpen(null)} title={open?.workflow.name}>
        {open?.question && (
          <>
            <p className={classes.who} style={{ marginTop: 0 }}>
              Asked <Ago at={open.question.askedAt} />.{' '}
              <TextLink
                to="/c/$center/workflows/$id/runs/$run"
                params={{ center, id: open.workflow.id, run: open.id }}
              >
                Show the run
              </TextLink>
            </p>
            <Review
              executionId={open.id}
              question={open.question}
              onDone={() => {
                setOpen(null);
                onAnswered();
              }}
            />
          </>
        )}
      </Modal>
    </Panel>
  );
}
