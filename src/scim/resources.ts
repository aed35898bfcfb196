// Users and groups as SCIM shows them.

import type { GroupRow } from '../domain/scim/group-rows.ts';
import { SCHEMA_OF } from '../domain/scim/schemas.ts';
import { documentOf, type UserRow } from '../domain/scim/user-rows.ts';
import { sha256Hex } from '../lib/crypto.ts';

export interface Resource {
  schemas: readonly string[];
  id: string;
  meta: { resourceType: string; created: Date; lastModified: Date; location: string; version: string };
  [attribute: string]: unknown;
}

export function userResource(row: UserRow, baseUrl: string): Resource {
  const { userName, externalId, displayName, name, emails } = documentOf(row);
  const content = {
    schemas: [SCHEMA_OF.User],
    id: row.id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(Object.keys(name).length > 0 && { name }),
    ...(displayName !== null && { displayName }),
    emails: emails.map(({ primary = false, ...email }) => ({ ...email, primary })),
    active: row.status === 'ACTIVE',
  };
  return {
    ...content,
    meta: {
      resourceType: 'User',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${baseUrl}/Users/${row.id}`,
      // Not the time: a member also changes in ways that a directory does not see.
      version: weakTag(sha256Hex(JSON.stringify(content)).slice(0, 16)),
    },
  };
}

export function groupResource(row: GroupRow, baseUrl: string): Resource {
  const { id, name, externalId, members, createdAt, updatedAt } = row;
  return {
    schemas: [SCHEMA_OF.Group],
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(members && {
      members: members.map(({ value, display }) => ({
        value,
        display,
        type: 'User',
        $ref: `${baseUrl}/Users/${value}`,
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: createdAt,
      lastModified: updatedAt,
      location: `${baseUrl}/Groups/${id}`,
      // The same with and without members. Every change of a group has a later time than the one before.
      version: weakTag(updatedAt.getTime().toString(36)),
    },
  };
}

const weakTag = (version: string) => `W/"${version}"`;

/** Whether an `If-Match` or `If-None-Match` header names this version. */
export function namesVersion(header: string, version: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(version));
}
