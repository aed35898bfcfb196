import { verticalsOf } from '../../domain/centers/find.ts';
import { loadTogether } from '../batched-load.ts';

/** The vertical of one center among many, by its domain. It is part of a center's public information. */
export const verticalOf = loadTogether(verticalsOf);
