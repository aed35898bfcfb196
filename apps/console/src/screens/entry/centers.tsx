import { IconBuildingCommunity, IconChevronRight } from '@tabler/icons-react';
import { useSession } from '../../session/session-context.ts';
import { verticalLabels } from '../../text/labels.ts';
import { roleNames } from '../../text/roles.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import classes from './centers.module.css';
import { EntryFrame, SignOutButton } from './entry-frame.tsx';

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
      intro="You are a member of several centers. You can switch at any time."
      foot={
        <>
          Signed in as {me.email || me.name}. <SignOutButton />
        </>
      }
    >
      {centers.length === 0 && <Empty small icon={<IconBuildingCommunity />} title="No accessible center" />}
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
        {closed.map(({ id, centerName, centerVertical, role, status }) => (
          <li key={id} className={classes.center} data-closed>
            <Avatar name={centerName} size={38} square />
            <span className={classes.words}>
              <strong>{centerName}</strong>
              <span>{roleNames(centerVertical).one(role)}</span>
            </span>
            <MembershipState status={status === 'ACTIVE' ? 'SUSPENDED' : status} />
          </li>
        ))}
      </ul>
    </EntryFrame>
  );
}
