import { Drawer } from '@mantine/core';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { demands } from '../../text/policies.ts';
import { Lines, Loaded } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';
import classes from './history.module.css';
import { GuardFields, type Policy } from './policy.ts';

const PolicyHistory = graphql(
  `
    query PolicyHistory($id: ID!) {
      node(id: $id) {
        ... on Policy {
          id
          versions {
            version
            name
            actionPattern
            active
            changedBy
            createdAt
            guards { ...GuardFields }
          }
        }
      }
    }
  `,
  [GuardFields],
);

type Node = NonNullable<ResultOf<typeof PolicyHistory>['node']>;
type Version = Extract<Node, { versions: unknown }>['versions'][number];

const textsOf = ({ name, actionPattern, active, guards }: Version): string[] => [
  `Name: ${name}`,
  `Covers: ${actionPattern}`,
  active ? 'In force' : 'Off',
  ...demands(guards).map((demand) => `Asks for: ${demand}`),
  ...(guards.quorumOrdered ? ['Seats are filled in order'] : []),
  ...(guards.escalateAfterSeconds ? [`Escalates after ${guards.escalateAfterSeconds / 60} minutes`] : []),
  ...(guards.enforced?.length ? [`Enforced on narrower policies: ${guards.enforced.join(', ')}`] : []),
];

/** Lines that a version adds and removes. */
function changesOf(version: Version, before: Version | undefined) {
  const now = textsOf(version);
  const then = before ? textsOf(before) : [];
  return [
    ...then.filter((text) => !now.includes(text)).map((text) => ({ kind: 'removed', text })),
    ...now.filter((text) => !then.includes(text)).map((text) => ({ kind: 'added', text })),
  ];
}

interface PolicyHistoryProps {
  of: Policy | null;
  onClose: () => void;
}

/** All versions of a policy, newest first, each with its differences to the one before. */
export function PolicyHistoryDrawer({ of: policy, onClose }: PolicyHistoryProps) {
  return (
    <Drawer
      opened={policy !== null}
      onClose={onClose}
      position="right"
      size="md"
      title={`History of ${policy?.name ?? ''}`}
    >
      {policy && <Versions id={policy.id} />}
    </Drawer>
  );
}

function Versions({ id }: { id: string }) {
  const read = useRead(PolicyHistory, { id });
  return (
    <Loaded of={read} skeleton={<Lines count={8} />} small>
      {({ node }) => {
        const versions = node && 'versions' in node ? node.versions : [];
        return (
          <ol className={classes.versions}>
            {versions.map((version, i) => (
              <li key={version.version}>
                <h3 className={classes.head}>Version {version.version}</h3>
                <p className={classes.by}>
                  {version.changedBy ?? 'The service'}, <ExactTime at={version.createdAt} />
                </p>
                <ul className={classes.changes}>
                  {changesOf(version, versions[i + 1]).map(({ kind, text }) => (
                    <li key={kind + text} data-kind={kind}>
                      <span aria-hidden="true">{kind === 'added' ? '+' : '−'}</span>
                      <span className="visually-hidden">{kind === 'added' ? 'Added: ' : 'Removed: '}</span>
                      {text}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        );
      }}
    </Loaded>
  );
}
