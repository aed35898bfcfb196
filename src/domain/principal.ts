import type { ActorRole, ApprovedByKind, PartnerRole } from '../db/generated/prisma/enums.ts';
import { DomainError, type ErrorCode } from '../lib/errors.ts';
import type { FeaturesOff } from './features/features-off.ts';

export type KeyScope = 'proof:read' | 'proof:write' | 'proof:request';

interface AnonymousPrincipal {
  kind: 'anonymous';
}

/** Whether the center named by the token may be entered now. */
export type CenterAccess =
  | { open: true; centerId: number; centerDomain: string; role: ActorRole; membershipId: string }
  | { open: false; code: ErrorCode; message: string; details?: Record<string, unknown> };

/** Says why a center may not be entered. */
export const accessError = ({
  code,
  message,
  details,
}: Extract<CenterAccess, { open: false }>): DomainError =>
  new DomainError(code, message, details ? { details } : {});

/** The subject of a company's identity provider that a session was opened with. */
export interface ProviderIdentity {
  id: string;
  /** The center whose provider confirmed it. */
  centerId: number;
  issuer: string;
  subject: string;
}

/** A person with a live session. */
export interface ActorPrincipal {
  kind: 'actor';
  actorId: string;
  sessionId: string;
  /** The address of the account; empty for a person of a center, whose address is only displayed. */
  email: string;
  /** The address to display. Nothing may depend on it: the provider of a center can claim any. */
  shownEmail: string | null;
  /** The center of a person who exists only through its provider or its directory. */
  homeCenterId: number | null;
  /** What the session was opened with at a provider; null after a password or a passkey. */
  identity: ProviderIdentity | null;
  /**
   * The only center that the caller can act in: the one of the provider, or the home of a person of a center. Such a caller has
   * no family, partner or platform rights. Null for all other callers.
   */
  onlyCenterId: number | null;
  name: string;
  /** The name that sealed records carry until `earlierNameUntil`, after a change of `name` (`sealedName`). */
  earlierName: string | null;
  earlierNameUntil: Date | null;
  /** The person's role outside of any center. */
  baseRole: ActorRole;
  /** Every actor connected to this one by email or phone, including itself: permissions are those of the family. */
  familyIds: string[];
  platformAdmin: boolean;
  partner: { id: string; role: PartnerRole } | null;
  center: CenterAccess;
  /** The features that the current center lacks. */
  featuresOff: FeaturesOff;
}

/** Another system, acting for one center. */
export interface ApiKeyPrincipal {
  kind: 'apiKey';
  keyId: string;
  centerId: number;
  scopes: readonly KeyScope[];
  ratePerMinute: number | null;
  /** The features that the center lacks. */
  featuresOff: FeaturesOff;
}

/** The service itself, working on behalf of one center: jobs, seeds, commands, and the calls of its directory. */
interface SystemPrincipal {
  kind: 'system';
  name: string;
  centerId: number | null;
  /** The id of the SCIM token of a directory. Audit entries name it. */
  tokenId?: string;
}

export type Principal = AnonymousPrincipal | ActorPrincipal | ApiKeyPrincipal | SystemPrincipal;

/** A stable name for counters and stored responses. */
export function principalName(principal: Principal): string {
  switch (principal.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'actor':
      return `actor:${principal.actorId}`;
    case 'apiKey':
      return `key:${principal.keyId}`;
    case 'system':
      return `system:${principal.name}`;
  }
}

/** The center that the principal acts in, if there is one and it may be entered. */
export function centerIdOf(principal: Principal): number | null {
  switch (principal.kind) {
    case 'anonymous':
      return null;
    case 'actor':
      return principal.center.open ? principal.center.centerId : null;
    case 'apiKey':
    case 'system':
      return principal.centerId;
  }
}

/** The caller's name in records and audit entries. */
export function callerOf(principal: Principal): { id: string | null; email: string | null } {
  switch (principal.kind) {
    case 'anonymous':
      return { id: null, email: null };
    case 'actor':
      return { id: principal.actorId, email: principal.shownEmail };
    case 'apiKey':
      return { id: principal.keyId, email: null };
    case 'system':
      return { id: principal.tokenId ?? principalName(principal), email: null };
  }
}

/** The author of a journal entry or an approval, and how they were authenticated. The system has no id. */
export interface Author {
  kind: ApprovedByKind;
  id?: string;
}

export function authorOf(principal: Principal): Author {
  switch (principal.kind) {
    case 'apiKey':
      return { kind: 'api_key', id: principal.keyId };
    case 'actor':
      return { kind: 'session', id: principal.actorId };
    case 'system':
      return { kind: 'system' };
    case 'anonymous':
      throw new DomainError('UNAUTHORIZED', 'Sign in first.');
  }
}
