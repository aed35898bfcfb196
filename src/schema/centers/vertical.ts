import type { RequestContext } from '../../api/request-context.ts';
import { verticalsOf } from '../../domain/centers/find.ts';
import { makeLoader } from '../batched-load.ts';
import { Vertical } from '../enums.ts';

/** The vertical of one center among many, by its domain. It is part of a center's public information. */
const verticalOf = makeLoader(verticalsOf);

/** The field `centerVertical` of an object that names its center. */
export const centerVertical = {
  type: Vertical,
  description: 'The line of business of the center.',
  resolve: async ({ centerDomain }: { centerDomain: string }, _: object, ctx: RequestContext) =>
    (await verticalOf(ctx, centerDomain))!,
};
