import type { Route } from '../route.ts';
import { authRoutes } from './auth.ts';
import { centerRoutes } from './centers.ts';

/** Every documented endpoint. A new noun brings its own file of rows and is named here. */
export const routes: readonly Route[] = [...authRoutes, ...centerRoutes];
