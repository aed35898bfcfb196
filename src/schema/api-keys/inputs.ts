/** What keys may do, for the REST rows too. */
export { keyScopes } from '../../domain/api-keys/keys.ts';
