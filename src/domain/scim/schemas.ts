/** The kinds of resources, and the URNs of their schemas. */
export type ResourceKind = 'User' | 'Group';

export const SCHEMA_OF = {
  User: 'urn:ietf:params:scim:schemas:core:2.0:User',
  Group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const satisfies Record<ResourceKind, string>;

export const isOwnSchema = (kind: ResourceKind, schema: string): boolean =>
  schema.toLowerCase() === SCHEMA_OF[kind].toLowerCase();
