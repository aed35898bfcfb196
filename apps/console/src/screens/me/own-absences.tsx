import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { AbsenceDialog } from '../absences/absence-dialog.tsx';
import { AbsencePanel } from '../absences/absence-panel.tsx';
import { type Absence, Absences } from '../absences/absences.ts';

/** The absences of the caller with their delegates, and those of colleagues whom the caller represents. */
export function OwnAbsences() {
  const { me } = useSession();
  const read = useRead(Absences, { own: true });
  const [opened, { open, close }] = useDisclosure();
  const isMine = ({ delegator }: Absence) => delegator.actorId === me.actorId;
  return (
    <>
      <AbsencePanel
        hint="While you are away, a delegate can fill the seats of your approval groups."
        actions={
          <Button size="xs" variant="default" onClick={open}>
            Record absence
          </Button>
        }
        who={(absence) =>
          isMine(absence) ? `${absence.delegate.name} for you` : `You for ${absence.delegator.name}`
        }
        mayEnd={isMine}
        of={read}
      />
      <AbsenceDialog opened={opened} onClose={close} onDone={read.reload} />
    </>
  );
}
