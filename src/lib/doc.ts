/** The description of a zod schema with an example, as openapi.json shows them: `z.string().meta(doc('…', '…'))`. */
export const doc = (description: string, example: unknown) => ({ description, examples: [example] });

/** An example alone, for properties that are described elsewhere. */
export const example = (value: unknown) => ({ examples: [value] });

/** Values of examples that several fields share. */
export const A_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const A_PREFIXED_HASH = `sha256:${A_HASH}`;
export const A_PERSON = '4c1f7a52-6a0e-4b53-9d0f-0b8f5f1f2a11';
