import { useCenter, useSession, useZone } from '../../session/session-context.ts';
import { wallTimeIn } from '../../text/time.ts';
import { Page } from '../../ui/page.tsx';
import { Chains } from './chains.tsx';
import { Charts } from './charts.tsx';
import { FirstStepsPanel } from './first-steps.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import classes from './overview.module.css';
import { Plan } from './plan.tsx';
import { SummaryTiles } from './summary-tiles.tsx';

export default function OverviewScreen() {
  const { me } = useSession();
  const { name } = useCenter();
  const zone = useZone();
  return (
    <Page title={greeting(me.name, zone)} intro={`Pending approvals, activity and problems at ${name}.`}>
      <FirstStepsPanel />
      <SummaryTiles />
      <div className={classes.columns}>
        <Charts />
        <div className={classes.column}>
          <Chains />
          <Plan />
        </div>
      </div>
      <NeedsAttention />
    </Page>
  );
}

function greeting(name: string, zone: string): string {
  const hour = Number(wallTimeIn(zone, new Date()).slice(11, 13));
  const word = hour < 11 ? 'Good morning' : hour < 18 ? 'Good day' : 'Good evening';
  return `${word}, ${name.split(' ')[0]}`;
}
