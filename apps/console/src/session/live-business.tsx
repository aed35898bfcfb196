import { type ReactNode, useState } from 'react';
import { graphql } from '../graphql/graphql.ts';
import { useLive } from '../graphql/use-live.ts';
import { LiveContext, useHub } from './live-hub.ts';

const PartnerDoes = graphql(`subscription PartnerDoes { partnerAudit { id } }`);
const PartnerIsPaid = graphql(`subscription PartnerIsPaid { partnerPayments { id } }`);
const CentersChange = graphql(`subscription CentersChange { allCenters { id } }`);
const InstallationChanges = graphql(`subscription InstallationChanges { installation { service } }`);

/** Many centers make many changes; faster updates would not be readable. */
const THROTTLE_MS = 1_000;

/** Live events of all centers of a partner. */
export function LivePartner({ follow, children }: { follow: boolean; children: ReactNode }) {
  const [hub] = useState(() => new EventTarget());
  const done = () => void hub.dispatchEvent(new Event('done'));
  const paid = () => void hub.dispatchEvent(new Event('paid'));
  useLive(PartnerDoes, {}, done, { pause: !follow, onReturn: done });
  useLive(PartnerIsPaid, {}, paid, { pause: !follow, onReturn: paid });
  return <LiveContext value={hub}>{children}</LiveContext>;
}

/** Live events of the whole installation. */
export function LivePlatform({ follow, children }: { follow: boolean; children: ReactNode }) {
  const [hub] = useState(() => new EventTarget());
  const centers = () => void hub.dispatchEvent(new Event('centers'));
  const installation = () => void hub.dispatchEvent(new Event('installation'));
  useLive(CentersChange, {}, centers, { pause: !follow, onReturn: centers });
  useLive(InstallationChanges, {}, installation, { pause: !follow, onReturn: installation });
  return <LiveContext value={hub}>{children}</LiveContext>;
}

type AuditEventKind =
  /** A new audit entry of the partner or of one of its centers. */
  | 'done'
  /** A payment for one of them was recorded. */
  | 'paid'
  /** A center of the installation or its members changed. */
  | 'centers'
  /** The state of the installation changed. */
  | 'installation';

/** Calls back when one of these events arrives. */
export function useBusiness(kinds: readonly AuditEventKind[], callback: () => void): void {
  useHub(kinds, THROTTLE_MS, callback);
}
