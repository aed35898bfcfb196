/**
 * The token of a mailed link stands behind the #, which no server and no log sees. It is taken out of the address at
 * once, so that it does not stay in the history either.
 */
const found = location.hash.slice(1);
if (found) history.replaceState(history.state, '', location.pathname);

export const mailedToken = found || null;
