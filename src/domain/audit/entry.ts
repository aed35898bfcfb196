import { callerOf, centerIdOf, type Principal } from '../principal.ts';

/** The types of audited actions. */
export const auditTypes = [
  'auth.signed_in',
  'auth.session_revoked',
  'center.created',
  'center.updated',
  'membership.moved',
  'partner.onboarded',
  'partner.settings_changed',
  'dpu.level_raised',
  'decision.sealed',
  'api_key.changed',
  'webhook.changed',
  'workflow.executed',
] as const;

export type AuditType = (typeof auditTypes)[number];

export interface AuditInput {
  type: AuditType;
  /** The id of what was changed. */
  target: string;
  detail?: Record<string, unknown>;
  /** The center it belongs to, if not the caller's. */
  centerId?: number | null;
  /** The partner it belongs to, if it has no center. */
  partnerId?: string | null;
  /** The actor, if not the caller (at sign-in there is no caller yet). */
  actor?: { id: string | null; email: string | null };
}

/** An audit entry before it has its position on the chain. */
export interface AuditDraft {
  centerId: number | null;
  partnerId: string | null;
  type: AuditType;
  actorId: string | null;
  actorEmail: string | null;
  target: string;
  detail: Record<string, unknown>;
  ip: string | null;
}

/** Fills in the actor and center from the context. */
export function draftEntry(
  { principal, ip }: { principal: Principal; ip: string | null },
  input: AuditInput,
): AuditDraft {
  const who = input.actor ?? callerOf(principal);
  return {
    centerId: input.centerId === undefined ? centerIdOf(principal) : input.centerId,
    partnerId: input.partnerId ?? null,
    type: input.type,
    actorId: who.id,
    actorEmail: who.email,
    target: input.target,
    detail: input.detail ?? {},
    ip,
  };
}
