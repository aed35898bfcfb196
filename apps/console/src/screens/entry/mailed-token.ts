/**
 * The token of a mailed link is behind the #, so it is sent to no server and appears in no log. It is removed from the address
 * immediately, so that it does not stay in the history either.
 */
const found = location.hash.slice(1);
if (found) history.replaceState(history.state, '', location.pathname);

export const mailedToken = found || null;
