import { expect, test } from 'vitest';
import { roleLabel, roleLabels } from '../../src/domain/role-labels.ts';
import { memberRoles, roleNames } from '../../src/web/console/text/roles.ts';

test('mails and the console give a role the same name in every vertical', () => {
  for (const vertical of Object.keys(roleLabels) as (keyof typeof roleLabels)[]) {
    const names = roleNames(vertical);
    for (const role of memberRoles)
      expect([vertical, names.one(role)]).toEqual([vertical, roleLabel(role, vertical)]);
  }
  expect(roleNames('pharmacy').manyInText('INSTRUCTOR')).toBe('pharmacists');
  expect(roleNames().many('CHILD')).toBe('Children');
});
