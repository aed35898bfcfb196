import { printable } from '@countersign/proof-kit/printable';
import { IconPencil } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { Facts } from '../../ui/facts.tsx';
import { BackLink, ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';
import {
  OnePolicy,
  placeOf,
  policyIn,
  statementsOf,
  useGroups,
  useMayChange,
  type Version,
  type WholePolicy,
} from './policy.ts';
import classes from './policy-page.module.css';
import { Statements } from './statements.tsx';

const route = getRouteApi('/inside/c/$center/policies/$id');

export default function PolicyScreen() {
  const { id } = route.useParams();
  const read = useRead(OnePolicy, { id });
  useAuditEvents('any', read.reload);
  return (
    <Loaded of={read} page="Policy">
      {(data) => {
        const policy = policyIn(data);
        return policy ? <Whole policy={policy} /> : <Missing />;
      }}
    </Loaded>
  );
}

function Whole({ policy }: { policy: WholePolicy }) {
  const { center } = route.useParams();
  const { id, name, actionPattern, active, guards, version, versions } = policy;
  const { groupName } = useGroups();
  const mayChange = useMayChange();
  const latest = versions[0];
  return (
    <Page
      title={printable(name)}
      intro={`${placeOf(policy)}: ${patternWords(actionPattern)}.`}
      back={<BackLink to="/c/$center/policies" params={{ center }} label="Policies" />}
      badge={<StatePill of={active ? ['In force', 'good'] : ['Off', 'quiet']} />}
      actions={
        mayChange(policy) && (
          <ButtonLink
            to="/c/$center/policies/$id/edit"
            params={{ center, id }}
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </ButtonLink>
        )
      }
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel
            title="What it requires"
            hint="What it does not set, wider policies decide. Narrower policies can set their own values."
          >
            <Statements of={statementsOf(guards, groupName)} />
          </Panel>
          <Panel
            title="Versions"
            hint={
              versions.length < version ? 'The newest 100.' : 'Each with its differences to the one before.'
            }
          >
            <ol className={classes.versions}>
              {versions.map((each) => (
                <VersionEntry key={each.version} of={each} />
              ))}
            </ol>
          </Panel>
        </div>
        <Panel title="Scope">
          <Facts
            of={{
              'Applies to': placeOf(policy),
              Actions: <span className="mono">{actionPattern}</span>,
              Status: active ? 'In force' : 'Off: it is ignored',
              Version: version,
              'Last changed by': latest && authorOf(latest),
              'Last changed': latest && <ExactTime at={latest.createdAt} />,
              'Audit log': (
                <TextLink to="/c/$center/audit" params={{ center }} search={{ target: id }}>
                  All changes
                </TextLink>
              ),
            }}
          />
        </Panel>
      </div>
    </Page>
  );
}

const patternWords = (pattern: string) =>
  pattern === '*'
    ? 'all actions'
    : `actions ${pattern.endsWith('.*') ? 'that match' : 'of the type'} ${pattern}`;

/** Names are known of people and keys of the center only. */
function authorOf({ changedBy, changedById }: Version): string {
  if (changedBy) return printable(changedBy);
  if (changedById?.startsWith('system:')) return 'The service';
  return changedById ? 'A person or key outside the center' : 'Unknown';
}

function VersionEntry({ of: version }: { of: Version }) {
  const { version: number, changes, createdAt } = version;
  return (
    <li>
      <h3 className={classes.number}>Version {number}</h3>
      <p className={classes.author}>
        {authorOf(version)}, <ExactTime at={createdAt} />
      </p>
      <ul className={classes.changes}>
        {changes.map((change) => (
          <li key={change}>{printable(change)}</li>
        ))}
        {changes.length === 0 && <li>Saved without a difference.</li>}
      </ul>
    </li>
  );
}
