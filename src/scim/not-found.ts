import { ScimError } from '../domain/scim/errors.ts';

export const notFoundAt = (path: string) => new ScimError(404, `Path not found: ${path}.`);
