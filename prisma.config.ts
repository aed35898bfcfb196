import { defineConfig } from 'prisma/config';

// Only Prisma's command line reads this (`prisma generate`, `prisma migrate deploy`); the service reads its URL in
// src/config.ts. Generating needs no database, so DATABASE_URL may be absent.
export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
