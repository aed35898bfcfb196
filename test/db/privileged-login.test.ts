import { expect, test } from 'vitest';
import { refusePrivilegedLogin } from '../../src/start/check-database.ts';
import { testDatabase } from '../helpers/database.ts';

test('a login that owns the tables or bypasses row-level security is rejected', async () => {
  const { url, ownerUrl, adminUrl } = await testDatabase();
  await refusePrivilegedLogin(url);
  await expect(refusePrivilegedLogin(adminUrl)).rejects.toThrow(
    /^DATABASE_URL must be .* is not bound by row-level security/,
  );
  await expect(refusePrivilegedLogin(ownerUrl)).rejects.toThrow(/^DATABASE_URL must be .* owns the tables/);
});
