/** Messages of the service about a field, as a sentence. */
export function faultMessage(message: string): string {
  if (/^Too small: expected (string|array)|received undefined/.test(message))
    return 'This field is required.';
  if (/^Too big: expected string/.test(message)) return 'This is too long.';
  if (/^Too (small|big)/.test(message))
    return message.replace(/^Too (small|big): expected \w+ to be/, 'Must be');
  if (/^Invalid (option|input)/.test(message)) return 'This value is not allowed. Choose another.';
  return message.charAt(0).toUpperCase() + message.slice(1).replace(/([^.])$/, '$1.');
}
