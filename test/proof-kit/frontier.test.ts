import { Frontier, growTree, treeRoot } from '@countersign/proof-kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it('the frontier has the root of the tree after every record', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 70 }), (records) => {
      const none = () => {
        throw new Error('a tree grown from nothing reads no stored node');
      };
      const frontier = new Frontier();
      for (let size = 0; size <= records.length; size++) {
        const grown = growTree(0, records.slice(0, size), none);
        const nodes = new Map(grown.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
        const root = treeRoot(size, (level, index) => nodes.get(`${level}/${index}`)!);
        expect(frontier.size).toBe(size);
        expect(frontier.root()).toEqual(root);
        if (size < records.length) frontier.append(records[size]!);
      }
    }),
    { numRuns: 20 },
  );
});
