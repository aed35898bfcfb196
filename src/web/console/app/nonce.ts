/** The one-time word with which the page's content policy lets this page's own style elements in. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

// Where the code that locks scrolling behind dialogs looks for it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
