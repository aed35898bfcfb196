import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { describeRoutes } from '../rest/openapi/describe.ts';
import { routes } from '../rest/routes/index.ts';
import { brandFiles } from './brand.ts';
import { consolePages } from './console.ts';
import { documentation } from './docs/index.ts';
import { apiEntry } from './entry.ts';
import { devMail } from './mail-viewer.ts';
import { notFoundPage } from './not-found.ts';
import { backchannelLogout } from './oidc/backchannel-logout.ts';
import { companySignIn } from './oidc/company-sign-in.ts';
import { operationsPages, type Running } from './operations/health.ts';
import { jsonLdContext } from './transparency/json-ld.ts';
import { headLog } from './transparency/log.ts';
import { vectorFiles } from './transparency/vectors.ts';
import { wellKnownKeys } from './transparency/well-known-keys.ts';
import { verifyPages } from './verify/index.ts';

const restDescription = describeRoutes(routes);

/** Pages and machine-readable resources besides the API. Only proof lookups are counted. */
export function pages(app: App, running: Running): Middleware[] {
  return [
    operationsPages(app, running),
    apiEntry(app),
    companySignIn(app),
    backchannelLogout(app),
    documentation(restDescription, app.config),
    jsonLdContext(app.config.schemaUrl),
    wellKnownKeys(app),
    headLog(app),
    brandFiles(app),
    verifyPages(app),
    vectorFiles(),
    ...devMail(app),
    consolePages(app),
    notFoundPage,
  ];
}
