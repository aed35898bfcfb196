// Property tests draw the same examples in every run, so that a red run can be repeated and a green one needs no luck.
// PROPERTY_SEED draws others, for those who go looking.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
