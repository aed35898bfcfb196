import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { Provider } from 'urql';
import { client } from '../session/session.ts';
import { shadesOf, useBrand } from '../ui/brand-store.ts';
import { showFavicon } from '../ui/favicon.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { Reauthentication } from './reauthentication.tsx';
import { router } from './router.tsx';
import { themeWith, variables } from './theme.ts';

/** The nonce of the content security policy, for the style elements that the page adds. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

// react-remove-scroll, which locks scrolling behind dialogs, reads it from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

export function Console() {
  const brand = useBrand();
  const shades = shadesOf(brand);
  useEffect(() => showFavicon(brand), [brand]);
  const theme = useMemo(() => themeWith(shades), [shades]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce ?? ''}
    >
      <Provider value={client}>
        <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
          <Notifications
            position="bottom-right"
            limit={2}
            autoClose={4_000}
            containerWidth={360}
            className="toasts"
          />
          <ConnectionBar />
          <Reauthentication />
          <RouterProvider router={router} />
        </ModalsProvider>
      </Provider>
    </MantineProvider>
  );
}
