import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FamilyMember, families, familyOf } from '../../src/domain/identity/family.ts';

// Few values, so that ties and chains of ties are frequent. The same text serves as email and as phone.
const contact = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { nil: null });
const actors = fc
  .array(fc.tuple(contact, contact), { maxLength: 12 })
  .map((pairs) => pairs.map(([email, phone], i): FamilyMember => ({ id: `id-${i}`, email, phone })));

const tied = (a: FamilyMember, b: FamilyMember) =>
  (!!a.email && a.email === b.email) || (!!a.phone && a.phone === b.phone);

/** Everyone reachable by direct ties, computed naively. */
function reachable(all: FamilyMember[], start: FamilyMember): string[] {
  const found = new Set([start]);
  for (const member of found) for (const other of all) if (tied(member, other)) found.add(other);
  return [...found].map(({ id }) => id).sort();
}

describe('families', () => {
  it('are the actors connected by equal email or equal phone', () => {
    fc.assert(
      fc.property(actors, (all) => {
        for (const actor of all) expect(familyOf(all, actor.id)).toEqual(reachable(all, actor));
      }),
    );
  });

  it('are symmetric and transitive, and each actor is in exactly one', () => {
    fc.assert(
      fc.property(actors, (all) => {
        for (const { id } of all) {
          for (const member of familyOf(all, id)) expect(familyOf(all, member)).toEqual(familyOf(all, id));
        }
        expect(families(all).flat().sort()).toEqual(all.map(({ id }) => id).sort());
      }),
    );
  });

  it('do not depend on the order of the actors', () => {
    const shuffled = actors.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(families(other)).toEqual(families(all));
      }),
    );
  });

  it('never connect accounts by missing values, nor an email with a phone', () => {
    expect(
      families([
        { id: '1', email: null, phone: null },
        { id: '2', email: null, phone: null },
        { id: '3', email: 'x', phone: '' },
        { id: '4', email: '', phone: 'x' },
      ]),
    ).toEqual([['1'], ['2'], ['3'], ['4']]);
  });

  it('are found through a chain of different contacts', () => {
    const chain = [
      { id: '3', email: 'b@x.test', phone: null },
      { id: '1', email: 'a@x.test', phone: '+1' },
      { id: '2', email: 'b@x.test', phone: '+1' },
      { id: '4', email: 'c@x.test', phone: '+2' },
    ];
    expect(familyOf(chain, '3')).toEqual(['1', '2', '3']);
    expect(familyOf(chain, '4')).toEqual(['4']);
    expect(familyOf(chain, 'stranger')).toEqual([]);
  });
});
