export { endProviderSessions } from '../identity/end-provider-sessions.ts';
