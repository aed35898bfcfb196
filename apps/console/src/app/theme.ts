import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import type { MouseEvent } from 'react';

/** The green of the seal on the public proof pages. */
const seal: MantineColorsTuple = [
  '#e9f7f2',
  '#d3ece3',
  '#a6d9c8',
  '#76c5ab',
  '#4fb493',
  '#2f9f7c',
  '#178566',
  '#0b6b53',
  '#095a46',
  '#064536',
];

/** Darker than Mantine's, whose white labels are too faint. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#d92c2c',
  '#c92a2a',
  '#b02525',
  '#962020',
];

const system =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Inter', 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', Arial, sans-serif";

/** Selecting an item closes its menu. A dialog that it opens returns the focus to the menu button. */
function backToTheButton({ currentTarget }: MouseEvent<HTMLDivElement>): void {
  document.querySelector<HTMLElement>(`[aria-controls="${currentTarget.id}"]`)?.focus();
}

const theme = createTheme({
  primaryColor: 'seal',
  primaryShade: { light: 7, dark: 6 },
  colors: { red, seal },
  fontFamily: system,
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, 'Cascadia Mono', 'Liberation Mono', monospace",
  headings: {
    fontFamily: system,
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        // Its header is part of a dialog, not the banner of the page.
        attributes: { header: { role: 'presentation' } },
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
    MenuDropdown: { defaultProps: { onClickCapture: backToTheButton } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { tabIndex: 0, 'aria-label': 'Show or hide password' },
      },
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250 } },
  },
});

/** The theme in the shades of a brand; null for those of the service. */
export const themeWith = (shades: MantineColorsTuple | null) =>
  shades ? { ...theme, colors: { ...theme.colors, seal: shades } } : theme;

/**
 * Colors besides Mantine's. `brand` marks what is selected or current and follows the brand of the center; `good` means success
 * and stays green under every brand. Mantine's dimmed and placeholder grays have too little contrast on tinted backgrounds.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6672',
    '--mantine-color-placeholder': '#68737f',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-error': '#c2262b',
    '--cs-ground': '#f6f8f9',
    '--cs-surface': '#ffffff',
    '--cs-sunken': '#f3f5f7',
    '--cs-line': '#e3e8ec',
    '--cs-line-strong': '#cbd3da',
    '--cs-brand': 'var(--mantine-color-seal-7)',
    '--cs-brand-soft': 'var(--mantine-color-seal-0)',
    '--cs-good': '#0b6b53',
    '--cs-good-soft': '#e3f4ed',
    '--cs-warn': '#8a4b00',
    '--cs-warn-soft': '#fdf1dd',
    '--cs-bad': '#b3201f',
    '--cs-bad-soft': '#fdeaea',
    '--cs-info': '#1f56b0',
    '--cs-info-soft': '#e8f0fd',
    '--cs-quiet': '#4d5864',
    '--cs-quiet-soft': '#eceff2',
    '--cs-shadow': '0 1px 2px rgb(20 30 40 / 0.05)',
  },
  dark: {
    '--mantine-color-dimmed': '#a3adb8',
    '--mantine-color-placeholder': '#98a2ad',
    '--mantine-color-body': '#12171c',
    '--mantine-color-text': '#e4e8ec',
    '--mantine-color-error': '#ff8b86',
    '--cs-ground': '#0c1014',
    '--cs-surface': '#12171c',
    '--cs-sunken': '#191f26',
    '--cs-line': '#262e36',
    '--cs-line-strong': '#38424c',
    '--cs-brand': 'var(--mantine-color-seal-2)',
    '--cs-brand-soft': 'color-mix(in srgb, var(--mantine-color-seal-9) 45%, #12171c)',
    '--cs-good': '#62d2ab',
    '--cs-good-soft': '#10291f',
    '--cs-warn': '#f5bd6a',
    '--cs-warn-soft': '#2e2210',
    '--cs-bad': '#ff938e',
    '--cs-bad-soft': '#331718',
    '--cs-info': '#8db8ff',
    '--cs-info-soft': '#14233c',
    '--cs-quiet': '#b3bdc7',
    '--cs-quiet-soft': '#222a32',
    '--cs-shadow': 'none',
  },
});
