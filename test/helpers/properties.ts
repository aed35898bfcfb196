// Property tests use the same examples in every run, so failures are reproducible. PROPERTY_SEED selects others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
