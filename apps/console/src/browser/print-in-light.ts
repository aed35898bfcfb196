/** Paper is white: pages are printed in the light scheme, whatever the screen shows. */
export function printInLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  window.addEventListener('beforeprint', () => {
    shown = dataset['mantineColorScheme'];
    dataset['mantineColorScheme'] = 'light';
  });
  window.addEventListener('afterprint', () => {
    if (shown) dataset['mantineColorScheme'] = shown;
  });
}
