import { z } from 'zod';
import { TargetApp } from '../../db/generated/prisma/enums.ts';
import { landingKinds } from '../../domain/identity/landing.ts';
import { refreshInput } from '../../domain/identity/refresh.ts';
import { signInInput } from '../../domain/identity/sign-in.ts';
import { ssoTokenInput, ssoVerifyInput } from '../../domain/identity/sso.ts';
import { switchCenterInput } from '../../domain/identity/switch-center.ts';
import { A_PERSON, doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { actorRole, MEMBERSHIP, membership, success, timestamp } from '../schemas.ts';

const meShape = z
  .object({
    actorId: z.string().meta(example(A_PERSON)),
    email: z.string().meta(example('admin@demo.test')),
    name: z.string().meta(example('Kim Novak')),
    role: actorRole,
    centerId: z.int().nullable().meta(example(12)),
    centerDomain: z.string().nullable().meta(example('demo-rehab')),
    authorizedDomains: z.array(z.string()).meta(example(['demo-rehab'])),
    memberships: z.array(membership),
  })
  .meta({ id: 'Me' });

const ME_FIELDS = /* GraphQL */ `
  actorId email name role centerId centerDomain authorizedDomains
  memberships { ${MEMBERSHIP} }` as const;

const authShape = z
  .object({
    accessToken: z.string().meta(example('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0YzFmIn0.c2ln')),
    refreshToken: z.string().meta(example('Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v')),
    expiresIn: z.int().meta(example(3600)),
    actor: z.object({
      id: z.string().meta(example(A_PERSON)),
      email: z.string().meta(example('admin@demo.test')),
      name: z.string().meta(example('Kim Novak')),
      role: actorRole,
    }),
    center: z
      .object({
        id: z.int().meta(example(12)),
        name: z.string().meta(example('Demo Rehabilitation')),
        domain: z.string().meta(example('demo-rehab')),
      })
      .nullable(),
  })
  .meta({ id: 'Auth', graphqlType: 'SignedIn' });

const landingShape = z.object({
  kind: z.enum(landingKinds),
  centerDomain: z.string().nullable().meta(example('demo-rehab')),
});

const AUTH_FIELDS = /* GraphQL */ `
  accessToken refreshToken expiresIn
  actor { id email name role }
  center { id name domain }`;

/** GraphQL integers have 32 bits; no center has a larger number. */
const toInt32 = (value: number) => Math.max(-1, Math.min(value, 2 ** 31 - 1));

// Responses with tokens are never stored, so these rows ignore Idempotency-Key.
const route = routesOf({ tag: 'Authentication', auth: 'token', idempotency: 'none' });

export const authRoutes = [
  route({
    method: 'POST',
    path: '/auth/login',
    operationId: 'login',
    summary: 'Sign in with email or phone, optionally to a given center',
    auth: 'public',
    body: signInInput,
    document: graphql(`
      mutation ($input: SignInInput!) {
        signIn(input: $input) { ${AUTH_FIELDS} landing { kind centerDomain } }
      }`),
    variables: ({ body: { email, phone, password, centerDomain } }) => ({
      input: { email, phone, password, centerDomain },
    }),
    // Only a sign-in returns a landing, and it always does.
    project: ({ signIn: { landing, ...rest } }) => ok({ ...rest, landing: landing! }),
    response: success(
      authShape
        .extend({ landing: landingShape.describe('The page to show after signing in.') })
        .meta({ id: 'SignedIn' }),
    ),
    errors: [
      'INVALID_CREDENTIALS',
      'NO_MEMBERSHIP',
      'MEMBERSHIP_SUSPENDED',
      'MEMBERSHIP_ENDED',
      'CENTER_SUSPENDED',
      'CENTER_NOT_FOUND',
      'MISSING_REQUIRED_FIELD',
      'INVALID_EMAIL',
      'VALIDATION_ERROR',
    ],
  }),
  route({
    method: 'GET',
    path: '/auth/me',
    operationId: 'getMe',
    summary: 'The signed-in person with all memberships',
    document: graphql(`query { me { ${ME_FIELDS} } }`),
    project: ({ me }) => ok(me),
    response: success(meShape),
    errors: ['TOKEN_EXPIRED'],
  }),
  route({
    method: 'POST',
    path: '/auth/switch-center',
    operationId: 'switchCenter',
    summary: 'Switch the session to another center and return new tokens',
    body: switchCenterInput,
    document: graphql(`
      mutation ($input: SwitchCenterInput!) { switchCenter(input: $input) { ${AUTH_FIELDS} } }`),
    variables: ({ body }) => ({ input: { centerId: toInt32(body.centerId) } }),
    project: ({ switchCenter }) => ok(switchCenter),
    response: success(authShape),
    errors: [
      'TOKEN_EXPIRED',
      'NO_MEMBERSHIP',
      'MEMBERSHIP_SUSPENDED',
      'MEMBERSHIP_ENDED',
      'CENTER_SUSPENDED',
      'MISSING_REQUIRED_FIELD',
      'VALIDATION_ERROR',
    ],
  }),
  route({
    method: 'POST',
    path: '/auth/refresh-token',
    operationId: 'refreshToken',
    summary: 'Exchange a refresh token for a new pair; reusing an old one ends the session',
    auth: 'public',
    body: refreshInput,
    document: graphql(`
      mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) { ${AUTH_FIELDS} } }`),
    variables: ({ body }) => ({ input: { refreshToken: body.refreshToken } }),
    project: ({ refreshSession }) => ok(refreshSession),
    response: success(authShape),
    errors: ['UNAUTHORIZED', 'MISSING_REQUIRED_FIELD', 'VALIDATION_ERROR'],
  }),
  route({
    method: 'POST',
    path: '/auth/sso/token',
    operationId: 'createSsoToken',
    summary: 'Create a single-use token for a companion app',
    body: ssoTokenInput,
    document: graphql(`
      mutation ($input: CreateSsoTokenInput!) { createSsoToken(input: $input) { token expiresAt } }`),
    variables: ({ body }) => ({ input: { targetApp: body.targetApp } }),
    project: ({ createSsoToken }) => ok(createSsoToken),
    response: success(
      z
        .object({
          token: z.string().meta(example('Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v')),
          expiresAt: timestamp.meta(example('2026-11-15T09:32:00.000Z')),
        })
        .meta({ graphqlType: 'SsoToken' }),
    ),
    errors: ['TOKEN_EXPIRED', 'MISSING_REQUIRED_FIELD', 'VALIDATION_ERROR'],
  }),
  route({
    method: 'POST',
    path: '/auth/sso/verify',
    operationId: 'verifySsoToken',
    summary: 'Consume a single-use token and return its owner',
    auth: 'public',
    body: ssoVerifyInput,
    document: graphql(`
      mutation ($input: VerifySsoTokenInput!) {
        verifySsoToken(input: $input) { targetApp person { ${ME_FIELDS} } }
      }`),
    variables: ({ body: { token, targetApp } }) => ({ input: { token, targetApp } }),
    project: ({ verifySsoToken }) => ok({ ...verifySsoToken.person, targetApp: verifySsoToken.targetApp }),
    response: success(
      meShape
        .extend({ targetApp: z.enum(TargetApp).meta(doc('The companion app that the token is for.', 'lms')) })
        .meta({ id: 'SsoIdentity', graphqlType: 'Me' }),
    ),
    errors: ['UNAUTHORIZED', 'MISSING_REQUIRED_FIELD', 'VALIDATION_ERROR'],
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    operationId: 'logout',
    summary: 'End the session that this request uses',
    document: graphql('mutation { logout }'),
    project: ({ logout }) => ok({ signedOut: logout }),
    response: success(
      z.object({ signedOut: z.boolean().meta(doc('True: the session of this request has ended.', true)) }),
    ),
    errors: ['TOKEN_EXPIRED'],
  }),
];
