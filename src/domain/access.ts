import type { ActorRole } from '../db/generated/prisma/enums.ts';
import { DomainError } from '../lib/errors.ts';
import type { Feature } from './features/catalog.ts';
import { requireFeature } from './features/features-off.ts';
import {
  type ActorPrincipal,
  type ApiKeyPrincipal,
  accessError,
  type KeyScope,
  type Principal,
} from './principal.ts';

/**
 * Who may use a field, as data: any of the listed kinds of caller. Other callers get the error code that the contract defines
 * for them.
 */
export interface AccessRule {
  /** No sign-in needed. */
  public?: true;
  /** Any signed-in person, with or without a center. */
  signedIn?: true;
  /** Members of the current center with one of these roles. */
  roles?: readonly ActorRole[];
  /** API keys of the center with this scope. */
  apiKey?: KeyScope;
  /** Also keys with the scope proof:request, which see only the decisions that they recorded themselves. */
  requester?: true;
  /** Accounts of a partner; 'admin' excludes operators. */
  partner?: 'any' | 'admin';
  platformAdmin?: true;
  /** The feature that the caller's center must have. */
  feature?: Feature;
}

export const everyRole: readonly ActorRole[] = ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'];

/** Throws unless the rule allows the principal. */
export function checkAccess(principal: Principal, rule: AccessRule): void {
  if (rule.public || principal.kind === 'system') return;
  if (principal.kind === 'anonymous') throw new DomainError('UNAUTHORIZED', 'Sign in first.');
  if (principal.kind === 'apiKey') checkKey(principal, rule);
  else checkActor(principal, rule);
  if (rule.feature) requireFeature(principal.featuresOff, rule.feature);
}

function checkKey(principal: ApiKeyPrincipal, rule: AccessRule): void {
  if (!rule.apiKey) throw new DomainError('UNAUTHORIZED', 'API keys are not accepted for this operation.');
  requireFeature(principal.featuresOff, 'proofApi');
  // proof:write includes everything that proof:read allows.
  if (principal.scopes.includes('proof:write') || principal.scopes.includes(rule.apiKey)) return;
  if (rule.requester && principal.scopes.includes('proof:request')) return;
  throw new DomainError('FORBIDDEN', `This operation requires an API key with the scope ${rule.apiKey}.`);
}

function checkActor(principal: ActorPrincipal, rule: AccessRule): void {
  if (rule.signedIn) return;
  if (rule.platformAdmin && principal.platformAdmin) return;
  if (rule.partner && principal.partner) {
    if (rule.partner === 'any' || principal.partner.role === 'PARTNER_ADMIN') return;
    // An operator may still be allowed by another part of the rule.
    if (!rule.roles) {
      throw new DomainError('INSUFFICIENT_ROLE', 'This operation requires a PARTNER_ADMIN.');
    }
  }
  if (rule.roles) {
    const { center } = principal;
    if (!center.open) throw accessError(center);
    if (rule.roles.includes(center.role)) return;
  }
  throw new DomainError('INSUFFICIENT_ROLE', `This operation requires ${demandOf(rule)}.`);
}

function demandOf({ roles, partner, platformAdmin, apiKey }: AccessRule): string {
  const demands = [
    ...(roles ? [`the role ${roles.join(' or ')} in the current center`] : []),
    ...(partner ? ['an account of a partner'] : []),
    ...(platformAdmin ? ['a platform admin'] : []),
  ];
  if (demands.length === 0) return `an API key with the scope ${apiKey}`;
  return demands.join(', or ');
}
