import './mutations.ts';
import './progress.ts';
import './queries.ts';
