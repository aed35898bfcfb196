import { id as idForm } from '@countersign/proof-kit/form';
import { z } from 'zod';
import { isObject } from '../../lib/json.ts';
import { isStorable, UNSTORABLE, valueFault } from '../../lib/json-faults.ts';
import { actionTypeRule } from '../policies/action-type.ts';

export const LONGEST_TEXT = 10_000;
export const LONGEST_NAME = 256;
const LONGEST_TAG = 64;
export const MOST_TAGS = 50;
const MOST_JSON_BYTES = 262_144;
/** Verifiers read documents of at most 64 levels, and an export nests the value a few levels deep. */
const DEEPEST_JSON = 50;

/** Counts characters as a person does. Counts them one by one only if the result could matter. */
const isWithin = (text: string, most: number) => text.length <= most || [...text].length <= most;

/** Text that can be stored, hashed and displayed. */
export function text(most: number, least: 0 | 1 = 0) {
  return z.string().check(({ value, issues }) => {
    const fault =
      value.length < least
        ? 'must not be empty'
        : !isWithin(value, most)
          ? `must have at most ${most} characters`
          : isStorable(value)
            ? null
            : UNSTORABLE;
    if (fault) issues.push({ code: 'custom', message: fault, input: value });
  });
}

export const longText = text(LONGEST_TEXT);
export const name = text(LONGEST_NAME, 1);

/** An id that every verifier reads the same way: limited in bytes, without code points that Unicode has not assigned yet. */
export const identifier = text(LONGEST_NAME, 1).refine((value) => idForm(value, '') === null, {
  message: 'must have at most 256 bytes of UTF-8 and no unassigned characters',
});

export const tag = text(LONGEST_TAG, 1);

export const actionType = text(LONGEST_TEXT, 1).check(actionTypeRule);

/** Why a JSON object cannot be stored. */
function jsonFault(root: object): string | null {
  const fault = valueFault(root, DEEPEST_JSON);
  if (fault) return fault.message;
  return Buffer.byteLength(JSON.stringify(root)) > MOST_JSON_BYTES ? 'must be at most 256 KiB of JSON' : null;
}

/** An object of any shape, passed on unchanged. */
export const jsonObject = z
  .unknown()
  .check(({ value, issues }) => {
    const fault = isObject(value) ? jsonFault(value) : 'must be an object';
    if (fault) issues.push({ code: 'custom', message: fault, input: value });
  })
  .meta({ type: 'object', additionalProperties: true }) as unknown as z.ZodType<
  Record<string, unknown>,
  Record<string, unknown>
>;
