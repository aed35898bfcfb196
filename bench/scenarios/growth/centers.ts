import { makeActor, makePartner } from '../../../test/helpers/world.ts';
import { centerName, fillCenters } from '../../harness/fill-centers.ts';
import { type GrowingCall, grow, MOST_GROWTH } from '../../harness/grow.ts';
import type { Survey } from '../../harness/scenario.ts';

const SIZES = [100, 1_000, 10_000];

function centerCalls(partnerToken: string): GrowingCall[] {
  const headers = { authorization: `Bearer ${partnerToken}` };
  const json = { 'content-type': 'application/json' };
  const get = (title: string, path: string): GrowingCall => ({
    title,
    target: MOST_GROWTH,
    call: () => ({ method: 'GET', path, headers }),
  });
  const search = (title: string, query: (size: number) => string, target: number | null): GrowingCall => ({
    title,
    target,
    call: (size) => ({
      method: 'POST',
      path: '/api/centers/search',
      headers: json,
      body: JSON.stringify({ query: query(size), limit: 20 }),
    }),
  });
  const someName = (size: number) => centerName(Math.floor(Math.random() * size));
  return [
    search('search of centers by name', someName, MOST_GROWTH),
    // With one letter missing.
    search('the same with a typing error', (size) => someName(size).replace(/on /, 'n '), MOST_GROWTH),
    search('search without words', () => '', MOST_GROWTH),
    get('partner dashboard', '/api/partner/stats/dashboard'),
    get("a partner's centers, first page", '/api/partner/centers?limit=20'),
    search('search that fits every center', () => 'place that decides', null),
  ];
}

export const growthOfCenters: Survey = {
  name: 'growth-centers',
  title: 'the same calls with more and more centers',
  async survey(stage, say) {
    const growth = await grow(
      {
        scenario: growthOfCenters.name,
        of: 'centers',
        sizes: SIZES,
        async prepare(place, size) {
          const { partner, token } = await makePartner(place.app, 'PARTNER_ADMIN', 0);
          const member = await makeActor(place.app);
          await fillCenters(place, { partnerId: partner.id, actorId: member.id }, size);
          const { port } = await place.api();
          return { port, calls: centerCalls(token) };
        },
      },
      stage,
      say,
    );
    return { growth };
  },
};
