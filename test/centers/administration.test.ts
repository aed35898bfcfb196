import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import {
  makeActor,
  makeMember,
  makeMembership,
  makePartner,
  makeStage,
  makeToken,
} from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const UPDATE = /* GraphQL */ `
  mutation ($input: UpdateCenterInput!) {
    updateCenter(input: $input) { name description logo settings memberCount }
  }`;

const update = async (input: Record<string, unknown>, token: string) => {
  const { data, errors } = await running.graphql(UPDATE, { input }, token);
  return errors ? errors[0]!.extensions.code : data.updateCenter;
};

/** The new status, or the error code. */
async function moveCenter(move: 'suspend' | 'reactivate' | 'end', id: number | string, token: string) {
  const { data, errors } = await running.graphql(
    `mutation ($id: ID!) { ${move}Center(input: { id: $id }) { id status memberCount } }`,
    { id },
    token,
  );
  return errors?.[0]?.extensions.code ?? data[`${move}Center`].status;
}

const audits = async (centerId: number, type: string) => {
  const rows = await running.app.db.forCenter(centerId).auditEntry.findMany({
    where: { type },
    orderBy: { index: 'asc' },
  });
  return rows.map(({ detail, target }) => ({ target, ...(detail as object) }));
};

async function makeRoot() {
  const root = await makeActor(running.app, { platformAdmin: true });
  return makeToken(running.app, root.id, null);
}

describe('updateCenter by an ADMIN', () => {
  test('changes only the given fields and audits the old and new values', async () => {
    const { center, token } = await makeStage(running.app, { settings: { color: 'red' } });
    const changed = await update(
      {
        description: 'Open late',
        logo: 'https://cdn.example.test/logo.svg',
        timezone: 'Asia/Seoul',
        country: 'KR',
        region: null,
        emailDomains: ['Example.ORG', 'example.org'],
        proof: { enabled: true, disclose: ['action.input'] },
      },
      token,
    );
    const settings = {
      timezone: 'Asia/Seoul',
      country: 'KR',
      color: 'red',
      emailDomains: ['example.org'],
      proof: { enabled: true, disclose: ['action.input'] },
    };
    expect(changed).toEqual({
      name: center.name,
      description: 'Open late',
      logo: 'https://cdn.example.test/logo.svg',
      settings,
      memberCount: 1,
    });
    const info = await running.call('GET', `/centers/${center.centerDomain}/info`);
    expect(info.body.data).toMatchObject({ description: 'Open late' });
    expect((await running.call('GET', `/centers/${center.id}`, { token })).body.data.settings).toEqual(
      settings,
    );
    expect(await audits(center.id, 'center.updated')).toEqual([
      {
        target: String(center.id),
        from: {
          description: '',
          logo: '',
          timezone: 'Europe/Berlin',
          country: 'DE',
          region: 'BE',
          emailDomains: null,
          proof: null,
        },
        to: {
          description: 'Open late',
          logo: 'https://cdn.example.test/logo.svg',
          timezone: 'Asia/Seoul',
          country: 'KR',
          region: null,
          emailDomains: ['example.org'],
          proof: { enabled: true, disclose: ['action.input'] },
        },
      },
    ]);
    // The same value again is not a change.
    await update({ timezone: 'Asia/Seoul', description: 'Open late' }, token);
    expect(await audits(center.id, 'center.updated')).toHaveLength(1);
  });

  test('applies two concurrent changes', async () => {
    const { token } = await makeStage(running.app);
    await Promise.all([
      update({ country: 'FR' }, token),
      update({ region: 'IDF' }, token),
      update({ name: 'Nouveau' }, token),
    ]);
    const { name, settings } = await update({}, token);
    expect({ name, ...settings }).toEqual({
      name: 'Nouveau',
      timezone: 'Europe/Berlin',
      country: 'FR',
      region: 'IDF',
    });
  });

  test.each([
    { timezone: 'Mars/Olympus' },
    { timezone: '+02:00' },
    { timezone: '' },
    { country: 'Germany' },
    { country: 'de' },
    { region: '' },
    { name: ' ' },
    { name: 'a\0b' },
    { description: 'x'.repeat(2_001) },
    { description: '\ud800' },
    { logo: 'javascript:alert(1)' },
    { logo: 'data:image/png;base64,AAAA' },
    { emailDomains: ['@example.org'] },
    { emailDomains: ['org'] },
    { emailDomains: Array.from({ length: 21 }, (_, i) => `d${i}.org`) },
  ])('rejects %j', async (input) => {
    const { token } = await makeStage(running.app);
    expect(await update(input, token)).toBe('VALIDATION_ERROR');
  });

  test('is rejected for all other roles', async () => {
    const { center } = await makeStage(running.app);
    for (const role of ['INSTRUCTOR', 'PARENT', 'CHILD'] as const) {
      const { token } = await makeMember(running.app, center.id, role);
      expect(await update({ name: 'Mine' }, token)).toBe('INSUFFICIENT_ROLE');
    }
  });
});

describe('a platform admin', () => {
  test('suspends and reactivates a center with immediate effect', async () => {
    const { center, token } = await makeStage(running.app);
    const root = await makeRoot();
    const visit = async () =>
      (await running.call('GET', `/centers/${center.id}`, { token })).body.error?.code;
    expect(await moveCenter('suspend', center.id, root)).toBe('SUSPENDED');
    expect(await visit()).toBe('CENTER_SUSPENDED');
    expect(await update({ name: 'Open' }, token)).toBe('CENTER_SUSPENDED');
    expect(await moveCenter('suspend', center.id, root)).toBe('CONFLICT');
    expect(await moveCenter('reactivate', center.id, root)).toBe('ACTIVE');
    expect(await visit()).toBeUndefined();
    expect(await moveCenter('reactivate', center.id, root)).toBe('CONFLICT');
    expect(await audits(center.id, 'center.updated')).toEqual([
      { target: String(center.id), from: { status: 'ACTIVE' }, to: { status: 'SUSPENDED' } },
      { target: String(center.id), from: { status: 'SUSPENDED' }, to: { status: 'ACTIVE' } },
    ]);
  });

  test('ends a center: its memberships end too, its records are kept', async () => {
    const { app } = running;
    const { center, token, admin } = await makeStage(app);
    const bystander = await makeStage(app);
    const root = await makeRoot();
    const ids: Record<string, string> = { ACTIVE: admin.membership.id };
    for (const status of ['INVITED', 'PENDING', 'SUSPENDED', 'REJECTED', 'ENDED'] as const) {
      const { id } = await makeActor(app);
      ids[status] = (await makeMembership(app, id, center.id, 'PARENT', status)).id;
    }
    const before = await app.db.forCenter(center.id).auditEntry.count();
    expect(await moveCenter('end', center.id, root)).toBe('INACTIVE');

    const statuses: Record<string, string> = {};
    for (const [was, id] of Object.entries(ids)) {
      const row = await app.db.acrossTenants.membership.findUniqueOrThrow({ where: { id } });
      statuses[was] = row.status;
      expect(row.endedAt !== null, was).toBe(row.status === 'ENDED');
    }
    expect(statuses).toEqual({
      ACTIVE: 'ENDED',
      SUSPENDED: 'ENDED',
      INVITED: 'REJECTED',
      PENDING: 'REJECTED',
      REJECTED: 'REJECTED',
      ENDED: 'ENDED',
    });
    const moved = await audits(center.id, 'membership.moved');
    expect(moved).toHaveLength(4);
    expect(moved).toContainEqual({ target: ids['ACTIVE'], from: 'ACTIVE', to: 'ENDED', move: 'end' });
    expect(moved).toContainEqual({ target: ids['PENDING'], from: 'PENDING', to: 'REJECTED', move: 'reject' });
    expect(await app.db.forCenter(center.id).auditEntry.count()).toBe(before + 5);
    expect(await app.db.forCenter(center.id).apiKey.count()).toBe(1);

    const visit = await running.call('GET', `/centers/${center.centerDomain}`, { token });
    expect([visit.status, visit.body.error.code]).toEqual([404, 'CENTER_NOT_FOUND']);
    for (const move of ['suspend', 'reactivate', 'end'] as const) {
      expect(await moveCenter(move, center.id, root)).toBe('CONFLICT');
    }
    expect(
      (await running.call('GET', `/centers/${bystander.center.id}`, { token: bystander.token })).status,
    ).toBe(200);
  });

  test('is the only role that can end a center', async () => {
    const partner = await makePartner(running.app);
    const { center, token } = await makeStage(running.app, { partnerId: partner.partner.id });
    for (const by of [token, partner.token]) {
      expect(await moveCenter('end', center.id, by)).toBe('INSUFFICIENT_ROLE');
    }
    const root = await makeRoot();
    for (const none of ['0', '999999', 'x', '99999999999999999999']) {
      expect(await moveCenter('end', none, root), none).toBe('CENTER_NOT_FOUND');
    }
    expect(await moveCenter('end', 'a\0', root)).toBe('VALIDATION_ERROR');
  });
});
