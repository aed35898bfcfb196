import { IconEyeOff } from '@tabler/icons-react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { bytes } from '../../text/format.ts';
import { count } from '../../text/labels.ts';
import { Copyable, shortHash } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Tile, Tiles } from '../../ui/tiles.tsx';
import { Ago, MinuteTime } from '../../ui/time.tsx';
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
  MIGRATIONS: ['Database', 'The schema matches this version.'],
  NOTIFICATIONS: ['Live updates', "Processes receive each other's messages."],
  JOBS: ['Jobs', 'Mails, webhooks and workflows are processed in time.'],
  SIGNING: ['Signing', 'Checkpoints are signed.'],
  WITNESSES: ['Witnesses', 'Witnesses cosign the log.'],
};

/** The health of the whole installation. */
export default function InstallationScreen() {
  const read = useRead(InstallationNow, {});
  useBusiness(['installation', 'centers'], read.reload);
  return (
    <Page title="Installation" intro="Health, signing keys and witnesses.">
      <Loaded of={read} skeleton={<PanelsSkeleton lines={[5, 5, 5]} />}>
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

/** A database login that owns nothing is a second line of defense. */
function OneLogin() {
  return (
    <Panel title="One database login" tone="bad">
      The service uses one login for the database. An injected statement could become the owner, read every
      center and disable the triggers. Set DATABASE_OWNER_URL to give the service a login that owns nothing.
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
        hint={closed ? `${centers.suspended} suspended, ${centers.inactive} ended` : 'None closed'}
        to="/platform/centers"
      />
      <Tile label="Partners" value={partners.toLocaleString()} to="/platform/partners" />
      <Tile label="People" value={people.toLocaleString()} hint="Accounts" />
      <Tile
        label="Failed jobs"
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
        label="Components"
        keyOf={({ name }) => name}
        rows={checks}
        columns={[
          { name: 'Part', text: ({ name }) => parts[name]![0] },
          { name: 'About', cell: ({ name, problem }) => problem ?? parts[name]![1] },
          {
            name: 'State',
            right: true,
            cell: ({ ok }) => <Pill tone={ok ? 'good' : 'bad'}>{ok ? 'Works' : 'Needs attention'}</Pill>,
          },
        ]}
      />
      <div className={classes.facts}>
        <Facts
          wide
          of={{
            'Signs as': service,
            'Database size': bytes(databaseBytes),
            'Oldest due job': queue.oldestDueSince ? <Ago at={queue.oldestDueSince} /> : 'None waits',
          }}
        />
      </div>
    </Panel>
  );
}

function Keys({ keys }: { keys: Now['headLog']['keys'] }) {
  return (
    <TablePanel
      title="Signing keys"
      hint={
        <>
          Verifiers trust these. They are rotated on the server itself:{' '}
          <code className="mono">npm run signing-keys -- rotate</code>
        </>
      }
      keyOf={({ keyId }) => keyId}
      rows={keys}
      columns={[
        {
          name: 'Key',
          cell: ({ vkey, keyId }) => <Copyable value={vkey} shown={keyId} label="Copy verifier key" />,
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
          name: 'Signed in by',
          wideOnly: true,
          cell: ({ signedBy, keyId }) =>
            signedBy === null ? 'No key' : signedBy === keyId ? 'First key' : signedBy,
        },
        { name: 'Since', right: true, cell: ({ from }) => <MinuteTime at={from} /> },
        {
          name: 'Until',
          right: true,
          wideOnly: true,
          cell: ({ until }) => (until ? <MinuteTime at={until} /> : 'No end date'),
        },
      ]}
    />
  );
}

function Witnesses({ log: { witnesses, size, signedAt } }: { log: Now['headLog'] }) {
  return (
    <TablePanel
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
      empty={
        <Empty small icon={<IconEyeOff />} title="No witnesses configured">
          Add witnesses with the WITNESSES setting, so that verifiers do not have to trust this installation
          alone.
        </Empty>
      }
      keyOf={({ name, url }) => name + url}
      rows={witnesses}
      columns={[
        { name: 'Witness', text: ({ name }) => shortHash(name) },
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
  );
}
