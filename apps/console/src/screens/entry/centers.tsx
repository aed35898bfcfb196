import { IconBuildingCommunity, IconChevronRight, IconExternalLink } from '@tabler/icons-react';
import { useRead } from '../../graphql/use-read.ts';
import type { Session } from '../../session/session.ts';
import { useSession } from '../../session/session-context.ts';
import { verticalLabels } from '../../text/labels.ts';
import { roleNames } from '../../text/roles.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import classes from './centers.module.css';
import { EntryFrame, SignOutButton } from './entry-frame.tsx';
import { FindSignInOptions } from './sign-in-options.ts';

/** The choice between several places. */
export default function CentersScreen() {
  const { me, centers } = useSession();
  const open = new Set(centers.map(({ id }) => id));
  const closed = me.memberships.filter(
    ({ centerId, status }) => !open.has(centerId) && status !== 'REJECTED',
  );
  const roleIn = (centerId: number) => {
    const membership = me.memberships.find((each) => each.centerId === centerId);
    return membership && roleNames(membership.centerVertical).one(membership.role);
  };
  return (
    <EntryFrame
      title="Choose a center"
      intro={
        centers.length + closed.length > 1
          ? 'You are a member of several centers. You can switch at any time.'
          : undefined
      }
      foot={
        <>
          Signed in as {me.contactEmail || me.name}. <SignOutButton />
        </>
      }
    >
      {centers.length + closed.length === 0 && (
        <Empty small icon={<IconBuildingCommunity />} title="No accessible center" />
      )}
      <ul className={classes.list}>
        {centers.map(({ id, name, centerDomain, vertical, brand }) => (
          <li key={id}>
            <a className={classes.center} href={`/c/${centerDomain}`}>
              <Avatar name={name} size={38} square shades={brand?.shades} />
              <span className={classes.words}>
                <strong>{name}</strong>
                <span>
                  {verticalLabels[vertical]} · {roleIn(id)}
                </span>
              </span>
              <IconChevronRight size={18} aria-hidden="true" />
            </a>
          </li>
        ))}
        {closed.map((membership) => (
          <ClosedCenter key={membership.id} of={membership} />
        ))}
      </ul>
    </EntryFrame>
  );
}

type Membership = Session['me']['memberships'][number];

/** A center that this session does not open. If the center requires its provider, the person can go on there. */
function ClosedCenter({
  of: { centerName, centerDomain, centerVertical, role, status },
}: {
  of: Membership;
}) {
  const variables = { center: centerDomain, email: null };
  const read = useRead(FindSignInOptions, variables, { pause: status !== 'ACTIVE' });
  const { oidc, password } = read.data?.signInOptions ?? {};
  const words = (
    <>
      <Avatar name={centerName} size={38} square />
      <span className={classes.words}>
        <strong>{centerName}</strong>
        <span>
          {roleNames(centerVertical).one(role)}
          {oidc && !password && ` · Continue with ${oidc.name}`}
        </span>
      </span>
    </>
  );
  if (oidc && !password) {
    return (
      <li>
        <a className={classes.center} href={oidc.startUrl}>
          {words}
          <IconExternalLink size={18} aria-hidden="true" />
        </a>
      </li>
    );
  }
  return (
    <li className={classes.center} data-closed>
      {words}
      {!read.loading && <MembershipState status={status === 'ACTIVE' ? 'SUSPENDED' : status} />}
    </li>
  );
}
