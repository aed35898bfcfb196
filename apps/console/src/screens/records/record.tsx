import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconExternalLink } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { usePublishesRecords } from '../../session/session-context.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { JsonText, parsedJson } from '../../ui/json.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Day, ExactTime } from '../../ui/time.tsx';
import { levelStates, nextLevel, recordTitle } from './record-labels.ts';

const OneRecord = graphql(`
  query OneRecord($id: ID!) {
    dpu(id: $id) {
      id
      content
      evidenceLevel
      domain
      chainIndex
      chainHash
      referenceType
      aiGenerated
      tags
      createdAt
      sealedAt
      erasedAt
    }
  }
`);
const Raise = graphql(`
  mutation RaiseLevel($input: UpdateDpuInput!) { updateDpu(input: $input) { id evidenceLevel } }
`);

type Shown = ResultOf<typeof OneRecord>['dpu'];

const route = getRouteApi('/inside/c/$center/records/$id');

export default function RecordScreen() {
  const { center, id } = route.useParams();
  const read = useRead(OneRecord, { id });
  useAuditEvents('any', read.reload);
  return (
    <Loaded of={read} page="Record" skeleton={<PanelsSkeleton lines={[4, 6]} />}>
      {({ dpu }) => (
        <Page
          title={recordTitle(dpu)}
          badge={<StatePill of={levelStates[dpu.evidenceLevel]!} />}
          back={<BackLink to="/c/$center/records" params={{ center }} label="Records" />}
          actions={<RecordActions record={dpu} onDone={read.reload} />}
        >
          <Panel title="Record">
            <Facts
              wide
              of={{
                Recorded: <ExactTime at={dpu.createdAt} />,
                Sealed: dpu.sealedAt && <ExactTime at={dpu.sealedAt} />,
                'Written by': dpu.aiGenerated ? 'AI' : 'Person or system',
                Tags: dpu.tags.join(', '),
                Fingerprint: (
                  <Copyable value={dpu.chainHash} shown={shortHash(dpu.chainHash)} label="Copy fingerprint" />
                ),
                'Record ID': <Copyable value={dpu.id} label="Copy record ID" />,
              }}
            />
          </Panel>
          <Panel title="Content">
            {dpu.erasedAt ? (
              <>
                Erased on <Day at={dpu.erasedAt} />. The fingerprint stays.
              </>
            ) : (
              <Content text={dpu.content} />
            )}
          </Panel>
        </Page>
      )}
    </Loaded>
  );
}

/** Most contents are JSON; others are shown as they are. */
function Content({ text }: { text: string }) {
  const json = parsedJson(text);
  return json === undefined ? <p>{text}</p> : <JsonText value={json} label="Content as JSON" />;
}

function RecordActions({ record, onDone }: { record: Shown; onDone: () => void }) {
  const isPublic = usePublishesRecords();
  const raise = useAction(Raise, { done: 'The evidence level was raised.' });
  const next = nextLevel(record.evidenceLevel);
  const ask = () =>
    modals.openConfirmModal({
      title: `Raise to “${levelStates[next!]![0]}”?`,
      children:
        next === 'AUDIT_READY'
          ? 'The record is sealed. It cannot be changed afterwards.'
          : 'You confirm that you have reviewed the content. The level cannot be lowered again.',
      labels: { confirm: 'Raise level', cancel: 'Cancel' },
      onConfirm: () =>
        void raise.run({ input: { id: record.id, evidenceLevel: next as 'DOCUMENTED' } }).then(onDone),
    });
  return (
    <>
      {record.evidenceLevel === 'AUDIT_READY' && isPublic && (
        <Button
          variant="default"
          component="a"
          href={`/verify/${record.id}`}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} />}
        >
          Public page
        </Button>
      )}
      {next && <Button onClick={ask}>Raise evidence level</Button>}
    </>
  );
}
