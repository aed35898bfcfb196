import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

const CREATE = `mutation ($name: String!) { createGroup(input: { name: $name }) { id source } }`;
const SET_SOURCE = /* GraphQL */ `
  mutation ($id: ID!, $source: GroupSource!) { setGroupSource(input: { id: $id, source: $source }) { id source } }`;

test('a group that the directory maintains is changed there only, until an ADMIN takes it back', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const { id, source } = (await graphql(CREATE, { name: 'Finance' }, token)).data.createGroup;
  expect(source).toBe('CONSOLE');
  const handedOver = await graphql(SET_SOURCE, { id, source: 'SCIM' }, token);
  expect(handedOver.data.setGroupSource.source).toBe('SCIM');

  const changes = [
    `mutation ($id: ID!) { renameGroup(input: { id: $id, name: "Other" }) { id } }`,
    `mutation ($id: ID!) { setGroupMembers(input: { id: $id, membershipIds: [] }) { id } }`,
    `mutation ($id: ID!) { deleteGroup(id: $id) { id } }`,
  ];
  for (const change of changes) {
    const { errors } = await graphql(change, { id }, token);
    expect(errors![0]!.extensions.code).toBe('CONFLICT');
  }
  await graphql(SET_SOURCE, { id, source: 'SCIM' }, token);
  await graphql(SET_SOURCE, { id, source: 'CONSOLE' }, token);
  for (const change of changes) expect((await graphql(change, { id }, token)).errors).toBeUndefined();

  const audits = await app.db.forCenter(center.id).auditEntry.findMany({ where: { target: id } });
  const noted = audits.map(({ detail }) => (detail as { change: string }).change);
  // Repeating the change is not one.
  expect(noted.filter((change) => change === 'group source')).toHaveLength(2);
});

test('only an ADMIN of the center changes the source of a group', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  const { id } = (await graphql(CREATE, { name: 'Finance' }, token)).data.createGroup;
  const other = await makeStage(app);
  const parent = await makeMember(app, center.id, 'PARENT');
  const foreign = await graphql(SET_SOURCE, { id, source: 'SCIM' }, other.token);
  expect(foreign.errors![0]!.extensions.code).toBe('NOT_FOUND');
  const denied = await graphql(SET_SOURCE, { id, source: 'SCIM' }, parent.token);
  expect(denied.errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
});
