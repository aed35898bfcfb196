import './app/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import { printInLight } from './browser/print-in-light.ts';

printInLight();

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
