import { ActionIcon, Button, NumberInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { type Place, usePages } from '../../graphql/use-pages.ts';
import { useRead } from '../../graphql/use-read.ts';
import { chainLabel, recordNumber } from '../../text/chains.ts';
import { count } from '../../text/labels.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { JsonText, parsedJson } from '../../ui/json.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ExactTime } from '../../ui/time.tsx';
import classes from './ledger.module.css';

const Head = graphql(`query ChainHeads { chains { domain length } }`);
const Around = graphql(`
  query Around($domain: ChainDomain!, $around: Int!) {
    chainRecords(domain: $domain, around: $around, radius: 3) {
      index
      hash
      previousHash
      timestamp
      content
      eventId
    }
  }
`);
const Signed = graphql(`
  query Signed($domain: ChainDomain!, $first: Int, $last: Int, $after: String, $before: String) {
    checkpoints(domain: $domain, first: $first, last: $last, after: $after, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id size rootHash keyId createdAt note } }
    }
  }
`);

type Domain = VariablesOf<typeof Around>['domain'];
type Link = ResultOf<typeof Around>['chainRecords'][number];

const route = getRouteApi('/inside/c/$center/ledger/$domain');
const PAGE = 10;

/** One chain: its newest records, or those around the selected one. */
export default function ChainScreen() {
  const { center, domain } = route.useParams();
  const { at } = route.useSearch();
  const navigate = useNavigate();
  const heads = useRead(Head, {});
  const length = heads.data?.chains.find((chain) => chain.domain === domain)?.length;
  const last = Math.max(0, (length ?? 1) - 1);
  const middle = at === undefined ? last : Math.min(Math.max(0, Number(at) || 0), last);
  const go = (index: number) =>
    void navigate({
      to: '/c/$center/ledger/$domain',
      params: { center, domain },
      search: { at: String(index) },
    });
  return (
    <Page
      title={chainLabel(domain)}
      intro={length === undefined ? undefined : `A chain of ${count(length, 'record')}.`}
      back={<BackLink to="/c/$center/ledger" params={{ center }} label="Ledger" />}
    >
      <Loaded of={heads} skeleton={<Lines count={8} />}>
        {() =>
          length === 0 || length === undefined ? (
            <Empty title="This chain is empty" />
          ) : (
            <>
              <Panel
                title={`Around record ${recordNumber(middle)}`}
                hint="Your browser recomputes the hash of each record."
                actions={<Jump middle={middle} last={last} onGo={go} />}
              >
                <Records domain={domain as Domain} middle={middle} />
              </Panel>
              <Checkpoints domain={domain as Domain} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Jump({ middle, last, onGo }: { middle: number; last: number; onGo: (index: number) => void }) {
  const [typed, setTyped] = useState<string | number>(middle + 1);
  useEffect(() => setTyped(middle + 1), [middle]);
  return (
    <form
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== '') onGo(Number(typed) - 1);
      }}
    >
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Earlier records"
        disabled={middle === 0}
        onClick={() => onGo(Math.max(0, middle - 7))}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <NumberInput
        aria-label="Record number"
        className={classes.number!}
        min={1}
        max={last + 1}
        hideControls
        value={typed}
        onChange={setTyped}
      />
      <Button type="submit" variant="default" size="sm">
        Show
      </Button>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Later records"
        disabled={middle >= last}
        onClick={() => onGo(Math.min(last, middle + 7))}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </form>
  );
}

function Records({ domain, middle }: { domain: Domain; middle: number }) {
  const read = useRead(Around, { domain, around: middle });
  return (
    <Loaded of={read} skeleton={<Lines count={8} />} small>
      {({ chainRecords }) => (
        <ol className={classes.links} aria-label="Records">
          {chainRecords.map((record, place) => {
            const next = chainRecords[place + 1];
            return (
              <RecordShown
                key={record.index}
                record={record}
                middle={record.index === middle}
                linked={!next || next.previousHash === record.hash}
              />
            );
          })}
        </ol>
      )}
    </Loaded>
  );
}

async function hashOf({ content, previousHash, timestamp }: Link): Promise<string> {
  const bytes = new TextEncoder().encode(content + (previousHash ?? '') + timestamp);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function RecordShown({ record, middle, linked }: { record: Link; middle: boolean; linked: boolean }) {
  const { center } = route.useParams();
  const { index, hash, previousHash, timestamp, content, eventId } = record;
  const [own, setOwn] = useState<string>();
  useEffect(() => {
    let current = true;
    void hashOf(record).then((computed) => current && setOwn(computed));
    return () => {
      current = false;
    };
  }, [record]);
  const erased = content === '';
  const intact = own === hash;
  return (
    <li className={classes.link} data-middle={middle || undefined} data-broken={!linked || undefined}>
      <div className={classes.record}>
        <div className={classes.head}>
          <strong>Record {recordNumber(index)}</strong>
          <ExactTime at={timestamp} />
          {erased ? (
            <Pill>Content erased</Pill>
          ) : own === undefined ? null : (
            <Pill tone={intact ? 'good' : 'bad'}>{intact ? 'Hash fits' : 'Hash mismatch'}</Pill>
          )}
          {!linked && <Pill tone="bad">Not linked to the next record</Pill>}
          {eventId && (
            <TextLink to="/c/$center/decisions/$id" params={{ center, id: eventId }}>
              View decision
            </TextLink>
          )}
        </div>
        <dl className={classes.hashes}>
          <dt>Hash</dt>
          <dd>
            <Copyable value={hash} shown={shortHash(hash)} label="Copy hash" />
          </dd>
          <dt>Before</dt>
          <dd className="mono">{previousHash ? shortHash(previousHash) : 'None (first record)'}</dd>
        </dl>
        {!erased && middle && (
          <details>
            <summary>Content</summary>
            <JsonText
              value={parsedJson(content) ?? content}
              label={`Content of record ${recordNumber(index)}`}
            />
          </details>
        )}
      </div>
    </li>
  );
}

function Checkpoints({ domain }: { domain: Domain }) {
  const [page, setPage] = useState<Place>({});
  const read = usePages(Signed, PAGE, page, { domain });
  return (
    <Panel title="Checkpoints" hint="Checkpoints of this chain, newest first." flush>
      <Loaded of={read} skeleton={<Lines count={4} />} small>
        {({ checkpoints: { edges, pageInfo } }) =>
          edges.length === 0 ? (
            <Empty small title="No checkpoints yet">
              The first checkpoint is signed within a minute.
            </Empty>
          ) : (
            <>
              <Table
                label="Checkpoints"
                rows={edges.map(({ node }) => node)}
                columns={[
                  { name: 'Covers', text: ({ size }) => count(size, 'record') },
                  {
                    name: 'Root',
                    cell: ({ rootHash }) => (
                      <Copyable value={rootHash} shown={shortHash(rootHash)} label="Copy root" />
                    ),
                  },
                  {
                    name: 'Signed note',
                    wideOnly: true,
                    cell: ({ note, keyId }) => (
                      <Copyable value={note} shown={`by ${keyId}`} label="Copy signed note" />
                    ),
                  },
                  { name: 'When', right: true, cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
                ]}
              />
              <Pager info={pageInfo} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
