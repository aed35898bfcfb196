/** The form of action types, and of the patterns that policies and mandates match them with. */
import { normalText } from './approver-id.ts';

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** Includes U+2800 and U+1D159, which are shown as blanks but are not white space. */
const BLANK_OR_INVISIBLE = /[^\S ]|[\p{Default_Ignorable_Code_Point}\p{C}\u2800\u{1d159}]/u;

/**
 * Why a text cannot be an action type or a pattern, as a clause; null if it can. A type that a person reads as another one must
 * not get past that one's policy. Letters are compared in normal form, as types and patterns are.
 */
export function actionTypeFault(text: string): string | null {
  if (BLANK_OR_INVISIBLE.test(text)) {
    return 'must not contain control, invisible or white-space characters, except single spaces';
  }
  if (/^ | $| {2}/.test(text)) return 'must not begin or end with a space, or have two in a row';
  if (normalText(text).split('.').some(mixesScripts)) {
    return 'must not mix Latin, Greek and Cyrillic letters between two dots';
  }
  return null;
}

const mixesScripts = (segment: string) => SCRIPTS.filter((script) => script.test(segment)).length > 1;
