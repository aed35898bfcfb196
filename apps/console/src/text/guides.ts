/** The section of the guides for a screen, by its address. The first match counts. */
export const screenGuides: readonly (readonly [address: RegExp, guide: string])[] = [
  [/^\/c\/[^/]+\/approvals/, 'console#approve'],
  [/^\/c\/[^/]+\/decisions/, 'console#decisions-and-proofs'],
  [/^\/c\/[^/]+\/ledger/, 'proofs#verify-whole-chains'],
  [/^\/c\/[^/]+\/workflows/, 'workflows'],
  [/^\/c\/[^/]+\/policies/, 'approval-rules'],
  [/^\/c\/[^/]+\/groups/, 'approval-rules#set-up-a-quorum'],
  [/^\/c\/[^/]+\/mandates/, 'agents#mandates'],
  [/^\/c\/[^/]+\/webhooks/, 'webhooks'],
  [/^\/c\/[^/]+\/api-keys/, 'quick-start#create-an-api-key'],
  [/^\/c\/[^/]+\/people/, 'centers-and-memberships#invitations'],
  [/^\/c\/[^/]+\/calendar/, 'centers-and-memberships#bookings'],
  [/^\/c\/[^/]+\/settings\/sign-in/, 'console#set-up-company-sign-in'],
  [/^\/c\/[^/]+\/(?:audit|subscription|settings)/, 'console#administration'],
  [/^\/platform\/users/, 'console#act-on-a-user'],
  [/^\/(?:partner|platform)/, 'console#partners-and-the-installation'],
  [/^\/me/, 'centers-and-memberships#passwords-passkeys-and-sessions'],
];

export const guideOf = (address: string): string =>
  `/docs/${screenGuides.find(([pattern]) => pattern.test(address))?.[1] ?? 'console'}`;
