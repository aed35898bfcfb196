import type { TestApp } from '../helpers/app.ts';
import { makeActor, makePartner, makeStage, makeToken } from '../helpers/world.ts';

/** Who calls an endpoint in its example. */
export type Caller = 'nobody' | 'admin' | 'visitor' | 'key' | 'partner' | 'root';

/** Two tenants with callers of every kind; the second must never see anything of the first. */
export async function makeRouteStage(running: TestApp) {
  const side = async () => {
    const partner = await makePartner(running.app);
    const { center, admin, key } = await makeStage(running.app, { partnerId: partner.partner.id });
    const root = await makeActor(running.app, { platformAdmin: true });
    const tokens: Record<Caller, string | undefined> = {
      nobody: undefined,
      admin: admin.token,
      // Signs out: an example that needs a session signs in again.
      visitor: await makeToken(running.app, admin.actor.id, center.id),
      key,
      partner: partner.token,
      root: await makeToken(running.app, root.id, null),
    };
    return { center, admin, partner, tokens };
  };
  return { running, ...(await side()), other: await side() };
}

export type RouteStage = Awaited<ReturnType<typeof makeRouteStage>>;

/** A call that succeeds. */
export interface Example {
  caller: Caller;
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

export type Examples = Record<string, (stage: RouteStage) => Promise<Example> | Example>;
