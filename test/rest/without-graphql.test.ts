import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeKey, makeToken } from '../helpers/world.ts';
import { bookingExamples } from './examples-bookings.ts';
import { makeRouteStage, type RouteStage } from './stage.ts';

let running: TestApp;
let stage: RouteStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await makeRouteStage(running);
});
afterAll(() => running.close());

const as = (token: string | undefined) => (method: string, path: string, body?: object) =>
  running.call(method, path, { token, body });

test('signing out ends the session and removes the cookie', async () => {
  const token = await makeToken(running.app, stage.admin.actor.id, stage.center.id);
  const left = await as(token)('POST', '/auth/logout', {});
  expect(left.body).toEqual({ success: true, data: { signedOut: true } });
  expect(left.headers.get('set-cookie')).toMatch(/auth_token=;/);
  expect((await as(token)('GET', '/auth/me')).status).toBe(401);
});

test('a key is created, listed, used and revoked', async () => {
  const call = as(stage.tokens.admin);
  const made = await call('POST', '/api-keys', { name: 'robot', scopes: ['proof:read'] });
  const { id, plaintext } = made.body.data;
  expect((await as(plaintext)('GET', '/v1/decision-events')).status).toBe(200);
  const page = (await call('GET', '/api-keys?limit=1')).body;
  expect(page).toMatchObject({ data: [{ id }], pagination: { hasMore: true } });
  expect(JSON.stringify(page)).not.toContain(plaintext);
  const next = await call('GET', `/api-keys?limit=1&after=${page.pagination.nextCursor}`);
  expect(next.body.data[0].id).not.toBe(id);
  const revoked = await call('DELETE', `/api-keys/${id}`);
  expect(revoked.body.data).toMatchObject({ id, revokedAt: expect.any(String) });
  expect((await as(plaintext)('GET', '/v1/decision-events')).status).toBe(401);
  const past = { name: 'late', scopes: ['proof:read'], expiresAt: '2020-01-01T00:00:00.000Z' };
  expect((await call('POST', '/api-keys', past)).body.error.code).toBe('VALIDATION_ERROR');
});

test('a slot can be booked once, and is free again when the booking is cancelled', async () => {
  const call = as(stage.tokens.admin);
  const { body } = await bookingExamples['book']!(stage);
  const booked = await call('POST', '/bookings', body);
  expect(booked.status).toBe(201);
  expect((await call('POST', '/bookings', body)).status).toBe(409);
  const { id, instructorId } = booked.body.data;
  const listed = await call('GET', `/bookings?instructorId=${instructorId}&status=BOOKED`);
  expect(listed.body).toMatchObject({ data: [{ id }], pagination: { hasMore: false, nextCursor: null } });
  expect((await call('DELETE', `/bookings/${id}`)).body.data.status).toBe('CANCELLED');
  expect((await call('POST', '/bookings', body)).status).toBe(201);
});

test('a key with write access tests a webhook and resends missed events', async () => {
  const call = as(stage.tokens.key);
  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
  const { id } = (await call('POST', '/v1/webhooks', webhook)).body;
  const tried = await call('POST', `/v1/webhooks/${id}/test`, { type: 'dpu.sealed' });
  expect(tried.status).toBe(202);
  const sample = await running.app.db
    .forCenter(stage.center.id)
    .platformEvent.findUniqueOrThrow({ where: { id: tried.body.data.eventId } });
  expect(sample).toMatchObject({ type: 'dpu.sealed', data: { sample: true } });
  const recovered = await call('POST', `/v1/webhooks/${id}/recover`, { since: '2026-01-01T00:00:00.000Z' });
  expect(recovered.body.data).toMatchObject({ queued: 0, hasMore: false, until: expect.any(String) });
  expect((await call('POST', `/v1/webhooks/${id}/test`, { type: 'no.such' })).status).toBe(422);
  const reader = await makeKey(running.app, stage.center.id, ['proof:read']);
  expect((await as(reader)('POST', `/v1/webhooks/${id}/test`, { type: 'dpu.sealed' })).status).toBe(403);
});
