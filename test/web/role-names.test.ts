import { expect, test } from 'vitest';
import { memberRoles, roleNames } from '../../apps/console/src/text/roles.ts';
import { roleLabel, roleLabels } from '../../src/domain/role-labels.ts';

test('mails and the console give a role the same name in every vertical', () => {
  for (const vertical of Object.keys(roleLabels) as (keyof typeof roleLabels)[]) {
    const names = roleNames(vertical);
    for (const role of memberRoles)
      expect([vertical, names.one(role)]).toEqual([vertical, roleLabel(role, vertical)]);
  }
  expect(roleNames('pharmacy').manyInText('INSTRUCTOR')).toBe('pharmacists');
  expect(roleNames().many('CHILD')).toBe('Children');
});
