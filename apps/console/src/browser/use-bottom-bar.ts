import { type RefObject, useEffect } from 'react';

/**
 * For a bar that is fixed at the bottom of a narrow screen. Sets its height as `--decide-bar`, so that the page ends above it, and as
 * `--keyboard` how much of the screen the on-screen keyboard covers, so that the bar stays above it.
 */
export function useBottomBar(bar: RefObject<HTMLElement | null>, shown: boolean): void {
  useEffect(() => {
    const element = bar.current;
    if (!shown || !element) return undefined;
    const { style } = document.documentElement;
    const size = new ResizeObserver(() => style.setProperty('--decide-bar', `${element.offsetHeight}px`));
    size.observe(element);
    const { visualViewport } = window;
    const fit = () => {
      if (!visualViewport) return;
      const { height, offsetTop, scale } = visualViewport;
      // A zoomed page also shows less of the screen.
      const covered = scale > 1.01 ? 0 : Math.max(0, window.innerHeight - height - offsetTop);
      style.setProperty('--keyboard', `${covered}px`);
    };
    fit();
    visualViewport?.addEventListener('resize', fit);
    visualViewport?.addEventListener('scroll', fit);
    return () => {
      size.disconnect();
      visualViewport?.removeEventListener('resize', fit);
      visualViewport?.removeEventListener('scroll', fit);
      style.removeProperty('--decide-bar');
      style.removeProperty('--keyboard');
    };
  }, [bar, shown]);
}
