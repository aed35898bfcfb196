import { RowMenuButton } from './row-menu.tsx';

interface CenterActionsProps {
  center: { id: number; name: string; status: string };
}

/** The last cell of a center's row. Ended centers have no menu. */
export function CenterActions({ center: { id, name, status } }: CenterActionsProps) {
  return status !== 'INACTIVE' && <RowMenuButton row={String(id)} label={`Actions for ${name}`} />;
}
