/** The keys of the counts maintained by database triggers (migration partner_counts). Days and months are UTC. */
export const day = (moment: Date) => moment.toISOString().slice(0, 10);
export const month = (moment: Date) => moment.toISOString().slice(0, 7);

export const tallyKeys = {
  /** ACTIVE memberships of a center: its memberCount and its taken seats. */
  centerMembers: (centerId: number) => `members:${centerId}`,
  partnerCenters: (partnerId: string) => `centers:${partnerId}`,
  /** ACTIVE memberships in all centers of a partner. */
  partnerMembers: (partnerId: string) => `members:${partnerId}`,
  /** Memberships of any status in all centers of a partner. */
  partnerMemberships: (partnerId: string) => `memberships:${partnerId}`,
  /** People who used a session in one of the partner's centers on that day. */
  activeOn: (partnerId: string, moment: Date) => `active:${day(moment)}:${partnerId}`,
  /** Money received in that month, in the smallest unit. */
  revenueIn: (partnerId: string, moment: Date) => `revenue:${month(moment)}:${partnerId}`,
  /** The partner's ACTIVE subscriptions of a plan. */
  payingFor: (partnerId: string, planId: string) => `plan:${planId}:${partnerId}`,
  /** Audit entries of the partner on a day, as YYYY-MM-DD. */
  auditOn: (partnerId: string, date: string) => `audit:${partnerId}:${date}`,
};
