import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';

const Finder = lazy(() => import('./finder.tsx'));

const asked = new EventTarget();
let reopen: (() => void) | undefined;

export function openFinder(): void {
  if (reopen) reopen();
  else asked.dispatchEvent(new Event('open'));
}

/** Most visits never search: the finder is loaded with the first key press or click that asks for it. */
export function LazyFinder() {
  const [isWanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  useHotkeys([['mod+K', want]], []);
  useEffect(() => {
    asked.addEventListener('open', want);
    return () => asked.removeEventListener('open', want);
  });
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      <Finder
        onReady={(open) => {
          reopen = open;
        }}
      />
    </Suspense>
  );
}
