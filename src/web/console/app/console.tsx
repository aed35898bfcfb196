import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Provider } from 'urql';
import { client } from '../session/session.ts';
import { shadesOf, useBrand } from '../ui/brand-store.ts';
import { styleNonce } from './nonce.ts';
import { Reauthentication } from './reauthentication.tsx';
import { router } from './router.tsx';
import { themeWith, variables } from './theme.ts';

export function Console() {
  const shades = shadesOf(useBrand());
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
          <Reauthentication />
          <RouterProvider router={router} />
        </ModalsProvider>
      </Provider>
    </MantineProvider>
  );
}
