// The endpoints of SCIM as a table: what each path answers to each method.

import type { RequestContext } from '../api/request-context.ts';
import { createUser } from '../domain/scim/create-user.ts';
import { notFoundAt, ScimError } from '../domain/scim/errors.ts';
import type { GroupRow } from '../domain/scim/group-rows.ts';
import { changeGroup, createGroup, deleteGroup, findGroup, listGroups } from '../domain/scim/groups.ts';
import { changesOfPatch, changesOfResource } from '../domain/scim/patch.ts';
import type { UserRow } from '../domain/scim/user-rows.ts';
import { changeUser, endUser, findUser, listUsers } from '../domain/scim/users.ts';
import { resourceTypeBy, resourceTypes, schemaBy, schemas, serviceProviderConfig } from './discovery.ts';
import { listQuery, listResponse } from './list.ts';
import { groupResource, namesVersion, type Resource, userResource } from './resources.ts';
import { type Selection, selected, selectionOf, shows } from './selection.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ScimRequest {
  ctx: RequestContext;
  /** The id in the path; empty if there is none. */
  id: string;
  query: URLSearchParams;
  body: unknown;
  ifMatch: string | null;
  baseUrl: string;
}

export interface ScimAnswer {
  status: number;
  body: object | null;
  /** The resource whose address and version the headers name. */
  resource?: Resource;
}

type Serve = (request: ScimRequest) => Promise<ScimAnswer>;

interface Endpoint {
  /** The path as logs and metrics name it. */
  path: string;
  methods: Partial<Record<Method, Serve>>;
}

const answer = (status: number, resource: Resource, selection: Selection): ScimAnswer => ({
  status,
  body: selected(resource, selection),
  resource,
});

const NOTHING: ScimAnswer = { status: 204, body: null };

const fixed = (body: (request: ScimRequest) => object): Endpoint['methods'] => ({
  GET: async (request) => ({ status: 200, body: body(request) }),
});

/** Refuses a change of a version that the directory has not seen. */
function versionCheck<Row>(
  { ifMatch, baseUrl }: ScimRequest,
  render: (row: Row, baseUrl: string) => Resource,
) {
  if (ifMatch === null) return null;
  return (row: Row): void => {
    if (namesVersion(ifMatch, render(row, baseUrl).meta.version)) return;
    throw new ScimError(412, 'The resource has changed since this version; read it again.');
  };
}

const userCheck = (request: ScimRequest) => versionCheck<UserRow>(request, userResource) ?? (() => {});
const groupCheck = (request: ScimRequest) => versionCheck<GroupRow>(request, groupResource);

const users: Endpoint['methods'] = {
  GET: async ({ ctx, query, baseUrl }) => {
    const { conditions, startIndex, count } = listQuery('User', query);
    const selection = selectionOf(query);
    const { total, rows } = await listUsers(ctx, conditions, { startIndex, count });
    const shown = rows.map((row) => selected(userResource(row, baseUrl), selection));
    return { status: 200, body: listResponse(shown, { total, startIndex }) };
  },
  POST: async ({ ctx, query, body, baseUrl }) => {
    const row = await createUser(ctx, changesOfResource('User', body));
    return answer(201, userResource(row, baseUrl), selectionOf(query));
  },
};

const changeUserBy =
  (replaces: boolean): Serve =>
  async (request) => {
    const { ctx, id, query, body, baseUrl } = request;
    const changes = (replaces ? changesOfResource : changesOfPatch)('User', body);
    const row = await changeUser(ctx, id, changes, { replaces, check: userCheck(request) });
    return answer(200, userResource(row, baseUrl), selectionOf(query));
  };

const user: Endpoint['methods'] = {
  GET: async ({ ctx, id, query, baseUrl }) =>
    answer(200, userResource(await findUser(ctx, id), baseUrl), selectionOf(query)),
  PUT: changeUserBy(true),
  PATCH: changeUserBy(false),
  DELETE: async (request) => {
    await endUser(request.ctx, request.id, userCheck(request));
    return NOTHING;
  },
};

const groups: Endpoint['methods'] = {
  GET: async ({ ctx, query, baseUrl }) => {
    const { conditions, startIndex, count } = listQuery('Group', query);
    const selection = selectionOf(query);
    const page = { startIndex, count, withMembers: shows(selection, 'members') };
    const { total, rows } = await listGroups(ctx, conditions, page);
    const shown = rows.map((row) => selected(groupResource(row, baseUrl), selection));
    return { status: 200, body: listResponse(shown, { total, startIndex }) };
  },
  POST: async ({ ctx, query, body, baseUrl }) => {
    const row = await createGroup(ctx, changesOfResource('Group', body));
    return answer(201, groupResource(row, baseUrl), selectionOf(query));
  },
};

const group: Endpoint['methods'] = {
  GET: async ({ ctx, id, query, baseUrl }) => {
    const selection = selectionOf(query);
    const row = await findGroup(ctx, id, shows(selection, 'members'));
    return answer(200, groupResource(row, baseUrl), selection);
  },
  PUT: async (request) => {
    const { ctx, id, query, body, baseUrl } = request;
    const changes = changesOfResource('Group', body);
    await changeGroup(ctx, id, changes, { replaces: true, check: groupCheck(request) });
    const selection = selectionOf(query);
    const row = await findGroup(ctx, id, shows(selection, 'members'));
    return answer(200, groupResource(row, baseUrl), selection);
  },
  PATCH: async (request) => {
    const changes = changesOfPatch('Group', request.body);
    await changeGroup(request.ctx, request.id, changes, { replaces: false, check: groupCheck(request) });
    return NOTHING;
  },
  DELETE: async (request) => {
    await deleteGroup(request.ctx, request.id, groupCheck(request));
    return NOTHING;
  },
};

const COLLECTIONS: Readonly<Record<string, Endpoint['methods']>> = {
  Users: users,
  Groups: groups,
  ServiceProviderConfig: fixed(({ baseUrl }) => serviceProviderConfig(baseUrl)),
  ResourceTypes: fixed(({ baseUrl }) => resourceTypes(baseUrl)),
  Schemas: fixed(({ baseUrl }) => schemas(baseUrl)),
};
const MEMBERS: Readonly<Record<string, Endpoint['methods']>> = {
  Users: user,
  Groups: group,
  ResourceTypes: fixed(({ id, baseUrl }) => resourceTypeBy(baseUrl, id)),
  Schemas: fixed(({ id, baseUrl }) => schemaBy(baseUrl, id)),
};
const UNSUPPORTED = new Set(['Bulk', 'Me', '.search']);

/** The endpoint of a path below the base address, split at slashes. */
export function endpointOf(parts: readonly string[]): Endpoint {
  const [first = '', second, ...rest] = parts;
  if (UNSUPPORTED.has(first) || second === '.search')
    throw new ScimError(501, `${parts.join('/')} is not supported.`);
  const table = second === undefined ? COLLECTIONS : MEMBERS;
  if (rest.length > 0 || second === '' || !Object.hasOwn(table, first)) throw notFoundAt(parts.join('/'));
  return { path: second === undefined ? first : `${first}/{id}`, methods: table[first]! };
}
