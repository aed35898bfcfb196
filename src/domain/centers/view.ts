import type { Prisma } from '../../db/database.ts';

/** What to load of a center to show it. */
export const centerInclude = {
  _count: { select: { memberships: { where: { status: 'ACTIVE' } } } },
} satisfies Prisma.CenterInclude;

export type CenterRow = Prisma.CenterGetPayload<{ include: typeof centerInclude }>;

/** A center as its members see it. Only ACTIVE memberships count as members. */
export type CenterView = Omit<CenterRow, '_count' | 'settings'> & {
  memberCount: number;
  settings: Record<string, unknown>;
};

export function centerView({ _count, settings, ...center }: CenterRow): CenterView {
  return { ...center, settings: settingsOf({ settings }), memberCount: _count.memberships };
}

/** Settings are a JSON object by agreement; whatever else may be stored counts as none. */
export function settingsOf({ settings }: { settings: unknown }): Record<string, unknown> {
  const isObject = typeof settings === 'object' && settings !== null && !Array.isArray(settings);
  return isObject ? (settings as Record<string, unknown>) : {};
}
