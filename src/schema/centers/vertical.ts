import { verticalsOf } from '../../domain/centers/find.ts';
import { makeLoader } from '../batched-load.ts';

/** The vertical of one center among many, by its domain. It is part of a center's public information. */
export const verticalOf = makeLoader(verticalsOf);
