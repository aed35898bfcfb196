/** The reasons for a status that RFC 7644, section 3.12, defines and that occur here. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A refusal in SCIM's own terms, safe to show to the directory. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, detail: string, scimType: ScimType | null = null) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

/** The value of an attribute is not acceptable. */
export const invalidValue = (attribute: string, message: string) =>
  new ScimError(400, `${attribute}: ${message}`, 'invalidValue');

export const invalidSyntax = (message: string) => new ScimError(400, message, 'invalidSyntax');

export const notFound = (resource: 'User' | 'Group') => new ScimError(404, `${resource} not found.`);

export const notUnique = (attribute: string, message: string) =>
  new ScimError(409, `${attribute}: ${message}`, 'uniqueness');

/** The path names neither a resource nor an endpoint. */
export const notFoundAt = (path: string) => new ScimError(404, `Path not found: ${path}.`);
