import { IconEyeOff } from '@tabler/icons-react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count } from '../../text/labels.ts';
import { bytes } from '../../text/size.ts';
import { toTheMinute } from '../../text/time.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Tile, Tiles } from '../../ui/tiles.tsx';
import { Ago } from '../../ui/time.tsx';
import classes from './installation.module.css';

const InstallationNow = graphql(`
  query InstallationNow {
    installation {
      service
      checks { name ok problem }
      queue { ready waiting failed oldestDueSince }
      partners
      people
      centers { active suspended inactive }
      databaseBytes
      wall
    }
    headLog {
      origin
      size
      signedAt
      witnesses { name url cosignedSize cosignedAt lastError current }
      keys { keyId vkey from until signs vouched signedBy }
    }
  }
`);

type Now = ResultOf<typeof InstallationNow>;

const parts: Record<string, [name: string, about: string]> = {
  MIGRATIONS: ['Database', 'It has the shape that this version needs.'],
  NOTIFICATIONS: ['Live updates', 'Processes tell each other what happens.'],
  JOBS: ['Jobs', 'Mails, webhooks and workflows are worked off in time.'],
  SIGNING: ['Signing', 'New states of the chains are signed.'],
  WITNESSES: ['Witnesses', 'Others cosign what was signed.'],
};

/** The health of the whole installation. */
export function InstallationScreen() {
  const read = useRead(InstallationNow, {});
  useBusiness(['installation', 'centers'], read.reload);
  return (
    <Page title="The installation" intro="Whether everything works, and with which keys it signs.">
      <Loaded of={read} skeleton={<Lines count={10} />}>
        {({ installation, headLog }) => (
          <>
            <Figures now={installation} />
            {installation.wall === 'one login' && <OneLogin />}
            <Checks now={installation} />
            <Keys keys={headLog.keys} />
            <Witnesses log={headLog} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** A database login that owns nothing is the second wall behind the code. */
function OneLogin() {
  return (
    <Panel title="One database login" tone="bad">
      The service uses one login for the database. A statement that somebody injects could become the owner,
      read every center and disable the triggers. Set DATABASE_OWNER_URL to give the service a login that owns
      nothing.
    </Panel>
  );
}

function Figures({ now: { centers, partners, people, queue } }: { now: Now['installation'] }) {
  const closed = centers.suspended + centers.inactive;
  return (
    <Tiles>
      <Tile
        label="Open centers"
        value={centers.active.toLocaleString()}
        hint={closed ? `${centers.suspended} suspended, ${centers.inactive} ended` : 'None is closed'}
        to="/platform/centers"
      />
      <Tile label="Partners" value={partners.toLocaleString()} to="/platform/partners" />
      <Tile label="People" value={people.toLocaleString()} hint="With an account" />
      <Tile
        label="Jobs given up"
        value={queue.failed.toLocaleString()}
        hint={`${queue.ready} due, ${queue.waiting} for later`}
        tone={queue.failed ? 'warn' : undefined}
      />
    </Tiles>
  );
}

function Checks({ now: { service, checks, queue, databaseBytes } }: { now: Now['installation'] }) {
  const bad = checks.filter(({ ok }) => !ok);
  return (
    <Panel
      title={
        bad.length === 0 ? 'Everything works' : `${count(bad.length, 'part')} of the installation need a look`
      }
      {...(bad.length > 0 && { tone: 'bad' as const })}
      flush
    >
      <Table
        label="Parts of the installation"
        keyOf={({ name }) => name}
        rows={checks}
        columns={[
          { name: 'Part', cell: ({ name }) => <strong>{parts[name]![0]}</strong> },
          { name: 'About', cell: ({ name, problem }) => problem ?? parts[name]![1] },
          {
            name: 'State',
            right: true,
            cell: ({ ok }) => <Pill tone={ok ? 'good' : 'bad'}>{ok ? 'Works' : 'Needs a look'}</Pill>,
          },
        ]}
      />
      <div className={classes.facts}>
        <Facts
          wide
          of={[
            ['Signs as', service],
            ['Size of the database', bytes(databaseBytes)],
            [
              'Oldest job that is due',
              queue.oldestDueSince ? <Ago key="due" at={queue.oldestDueSince} /> : 'None waits',
            ],
          ]}
        />
      </div>
    </Panel>
  );
}

function Keys({ keys }: { keys: Now['headLog']['keys'] }) {
  return (
    <Panel
      title="Signing keys"
      hint={
        <>
          Verifiers trust these. They are rotated on the server itself:{' '}
          <code className="mono">npm run signing-keys -- rotate</code>
        </>
      }
      flush
    >
      <Table
        label="Signing keys"
        keyOf={({ keyId }) => keyId}
        rows={keys}
        columns={[
          {
            name: 'Key',
            cell: ({ vkey, keyId }) => (
              <Copyable value={vkey} shown={keyId} label="Copy the key for verifiers" />
            ),
          },
          {
            name: 'State',
            cell: ({ signs, vouched }) =>
              vouched ? (
                <Pill tone={signs ? 'good' : 'quiet'}>{signs ? 'Signs' : 'Retired'}</Pill>
              ) : (
                <Pill tone="warn">Replaced a lost key</Pill>
              ),
          },
          {
            name: 'Vouched for by',
            wideOnly: true,
            cell: ({ signedBy, keyId }) =>
              signedBy === null ? 'Nobody' : signedBy === keyId ? 'Itself: it is the first' : signedBy,
          },
          { name: 'Since', right: true, cell: ({ from }) => toTheMinute(from) },
          {
            name: 'Until',
            right: true,
            wideOnly: true,
            cell: ({ until }) => (until ? toTheMinute(until) : 'No end set'),
          },
        ]}
      />
    </Panel>
  );
}

function Witnesses({ log: { witnesses, size, signedAt } }: { log: Now['headLog'] }) {
  return (
    <Panel
      title="Witnesses"
      hint={
        <>
          They see every signed head and cosign only one history. The log holds {count(size, 'state')} of
          chains
          {signedAt && (
            <>
              , signed last <Ago at={signedAt} />
            </>
          )}
          .
        </>
      }
      flush
    >
      {witnesses.length === 0 ? (
        <Empty small icon={<IconEyeOff />} title="No witness is set up">
          Name some in the setting WITNESSES, so that nobody has to trust this installation alone.
        </Empty>
      ) : (
        <Table
          label="Witnesses"
          keyOf={({ name, url }) => name + url}
          rows={witnesses}
          columns={[
            { name: 'Witness', cell: ({ name }) => <strong>{shortHash(name)}</strong> },
            { name: 'Address', wideOnly: true, cell: ({ url }) => url },
            {
              name: 'State',
              cell: ({ current, lastError }) => (
                <>
                  <Pill tone={current ? 'good' : 'bad'}>{current ? 'Cosigns' : 'Behind'}</Pill> {lastError}
                </>
              ),
            },
            {
              name: 'Last cosigned',
              right: true,
              cell: ({ cosignedAt, cosignedSize }) =>
                cosignedAt ? (
                  <>
                    <Ago at={cosignedAt} /> (size {cosignedSize.toLocaleString()})
                  </>
                ) : (
                  'Never'
                ),
            },
          ]}
        />
      )}
    </Panel>
  );
}
