import { Modal, Radio } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { money } from '../../text/format.ts';
import { count } from '../../text/labels.ts';
import { ActionForm, type DialogProps, useActionForm } from '../../ui/form-dialog.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import classes from './change-plan.module.css';
import { type Center, ChangePlan, Plans } from './managed-center.ts';
import type { Subscription } from './subscription-facts.tsx';

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
  const read = useRead(Plans, {});
  const action = useActionForm(ChangePlan, {
    done: 'The plan was changed.',
    initialValues: { planId: subscription.planId },
    input: ({ planId }) => ({ centerId: center.id, planId }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <Loaded of={read} skeleton={<Lines count={6} />}>
      {({ plans }) => (
        <ActionForm
          {...action}
          verb="Change plan"
          disabled={action.form.values.planId === subscription.planId}
        >
          <Radio.Group label="Plan" description="The change applies immediately." {...action.field('planId')}>
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
