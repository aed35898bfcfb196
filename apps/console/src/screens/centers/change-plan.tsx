import { Modal, Radio } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { money } from '../../text/format.ts';
import { count } from '../../text/labels.ts';
import { ActionForm, type DialogProps } from '../../ui/form-dialog.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import classes from './change-plan.module.css';
import { type Center, ChangePlan, Plans, type Subscription } from './managed-center.ts';

interface ChangePlanProps extends DialogProps {
  center: Center;
  subscription: Subscription;
}

export function ChangePlanDialog({ center, subscription, opened, onClose, onDone }: ChangePlanProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Plan of ${center.name}`} size="lg">
      <PlanForm center={center} subscription={subscription} onClose={onClose} onDone={onDone} />
    </Modal>
  );
}

/** The plans side by side. One with fewer seats than are in use cannot be chosen. */
function PlanForm({ center, subscription, onClose, onDone }: Omit<ChangePlanProps, 'opened'>) {
  const [planId, setPlanId] = useState(subscription.planId);
  const read = useRead(Plans, {});
  const act = useAction(ChangePlan, { quiet: true, done: 'The plan was changed.' });
  const save = async () => {
    if (!(await act.run({ input: { centerId: center.id, planId } }))) return;
    onClose();
    onDone();
  };
  return (
    <Loaded of={read} skeleton={<Lines count={6} />}>
      {({ plans }) => (
        <ActionForm
          act={act}
          verb="Change plan"
          disabled={planId === subscription.planId}
          onSubmit={() => void save()}
        >
          <Radio.Group
            value={planId}
            onChange={setPlanId}
            label="Plan"
            description="The change applies immediately."
          >
            <div className={classes.plans}>
              {plans
                .filter(({ vertical }) => vertical === null || vertical === center.vertical)
                .map(({ id, name, priceMonthly, currency, seatLimit, includes }) => {
                  const tooSmall = seatLimit < subscription.seatUsed;
                  return (
                    <Radio.Card key={id} value={id} disabled={tooSmall} className={classes.plan!}>
                      <Radio.Indicator disabled={tooSmall} />
                      <span>
                        <span className={classes.name}>
                          {name}
                          {id === subscription.planId && ' (current)'}
                        </span>
                        <span className={classes.price}>
                          {money(priceMonthly, currency)} a month, {count(seatLimit, 'member')}
                        </span>
                        <span className={classes.includes}>
                          {tooSmall
                            ? `Too small: ${count(subscription.seatUsed, 'seat')} in use.`
                            : includes.map((feature) => feature.name).join(', ')}
                        </span>
                      </span>
                    </Radio.Card>
                  );
                })}
            </div>
          </Radio.Group>
        </ActionForm>
      )}
    </Loaded>
  );
}
