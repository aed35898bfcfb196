import './check.ts';
import './mutations.ts';
import './progress.ts';
import './queries.ts';
