// What a directory can find out about this service (RFC 7643, sections 5 to 7).

import { notFoundAt } from '../domain/scim/errors.ts';
import { SCHEMA_OF } from '../domain/scim/schemas.ts';
import { listResponse, MAX_RESULTS } from './list.ts';

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

export const serviceProviderConfig = (baseUrl: string) => ({
  schemas: [CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token of the center, created by one of its administrators.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

const TYPES = [
  { id: 'User', endpoint: '/Users', description: 'A member of the center.' },
  { id: 'Group', endpoint: '/Groups', description: 'An approval group that the directory maintains.' },
] as const;

const resourceType = (baseUrl: string, { id, endpoint, description }: (typeof TYPES)[number]) => ({
  schemas: [RESOURCE_TYPE],
  id,
  name: id,
  endpoint,
  description,
  schema: SCHEMA_OF[id],
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
});

export const resourceTypes = (baseUrl: string) => allOf(TYPES.map((type) => resourceType(baseUrl, type)));

export function resourceTypeBy(baseUrl: string, id: string) {
  const type = TYPES.find((each) => each.id === id);
  if (!type) throw notFoundAt(`ResourceTypes/${id}`);
  return resourceType(baseUrl, type);
}

interface AttributeOptions {
  type?: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  required?: boolean;
  caseExact?: boolean;
  multiValued?: boolean;
  uniqueness?: 'none' | 'server';
  mutability?: 'readWrite' | 'readOnly' | 'immutable';
  referenceTypes?: string[];
  subAttributes?: object[];
}

const attribute = (name: string, options: AttributeOptions) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
});

const externalId = attribute('externalId', {
  description: "The directory's own id.",
  caseExact: true,
});

const namePart = (name: string, description: string) => attribute(name, { description });

const SCHEMAS = [
  {
    id: SCHEMA_OF.User,
    name: 'User',
    description: 'A member of the center who is pending, active or suspended.',
    attributes: [
      attribute('userName', {
        description: 'The name by which the directory knows the user; unique in any case.',
        required: true,
        uniqueness: 'server',
      }),
      externalId,
      attribute('name', {
        type: 'complex',
        description: "The parts of the user's name.",
        subAttributes: [
          namePart('formatted', 'The whole name.'),
          namePart('familyName', 'The last name.'),
          namePart('givenName', 'The first name.'),
          namePart('middleName', 'The middle name.'),
          namePart('honorificPrefix', 'What comes before the name.'),
          namePart('honorificSuffix', 'What follows the name.'),
        ],
      }),
      attribute('displayName', { description: 'The name that people see; without one, that of `name`.' }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        description: 'Email addresses. The primary one is shown, and no other user may have it.',
        subAttributes: [
          attribute('value', { description: 'The address.', required: true }),
          attribute('type', { description: 'What it is for, such as `work`.' }),
          attribute('display', { description: 'The address as people see it.' }),
          attribute('primary', { type: 'boolean', description: 'Whether it is the primary address.' }),
        ],
      }),
      attribute('active', {
        type: 'boolean',
        description: 'Whether the user can enter the center. Whom an administrator suspended stays inactive.',
      }),
    ],
  },
  {
    id: SCHEMA_OF.Group,
    name: 'Group',
    description: 'An approval group that the directory maintains.',
    attributes: [
      attribute('displayName', {
        description: 'The name of the group; unique in the center.',
        required: true,
        uniqueness: 'server',
      }),
      externalId,
      attribute('members', {
        type: 'complex',
        multiValued: true,
        description: 'The users in the group, at most 500.',
        subAttributes: [
          attribute('value', {
            description: 'The id of the user.',
            required: true,
            caseExact: true,
            mutability: 'immutable',
          }),
          attribute('$ref', {
            type: 'reference',
            referenceTypes: ['User'],
            description: 'The address of the user.',
            mutability: 'readOnly',
          }),
          attribute('display', { description: 'The name of the user.', mutability: 'readOnly' }),
          attribute('type', { description: 'Always `User`.', mutability: 'readOnly' }),
        ],
      }),
    ],
  },
];

const schemaResource = (baseUrl: string, schema: (typeof SCHEMAS)[number]) => ({
  schemas: [SCHEMA],
  ...schema,
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
});

export const schemas = (baseUrl: string) => allOf(SCHEMAS.map((schema) => schemaResource(baseUrl, schema)));

export function schemaBy(baseUrl: string, id: string) {
  const schema = SCHEMAS.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (!schema) throw notFoundAt(`Schemas/${id}`);
  return schemaResource(baseUrl, schema);
}

const allOf = (resources: object[]) => listResponse(resources, { total: resources.length, startIndex: 1 });
