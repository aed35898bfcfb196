import { type Context, currentCenterId } from '../context.ts';
import type { CenterReader } from './reader.ts';
import { visibleSettings } from './settings.ts';
import type { CenterView } from './view.ts';

/** The center the caller acts in, as much of it as they may see. */
export async function ownCenter(ctx: Context<{ readCenter: CenterReader }>): Promise<CenterView> {
  const { principal } = ctx;
  const center = await ctx.app.readCenter(currentCenterId(ctx));
  const role = principal.kind === 'actor' && principal.center.open ? principal.center.role : null;
  return { ...center, settings: visibleSettings(center.settings, role) };
}
