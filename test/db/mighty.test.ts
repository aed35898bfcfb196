import { expect, test } from 'vitest';
import { refuseMighty } from '../../src/start/mighty.ts';
import { testDatabase } from '../helpers/database.ts';

test('a login that is above the rules of the database is refused', async () => {
  const { url, ownerUrl, adminUrl } = await testDatabase();
  await refuseMighty(url);
  await expect(refuseMighty(adminUrl)).rejects.toThrow(
    /^DATABASE_URL must be .* is not bound by row-level security/,
  );
  await expect(refuseMighty(ownerUrl)).rejects.toThrow(/^DATABASE_URL must be .* owns the tables/);
});
