import { Button, type ButtonProps } from '@mantine/core';
import { createLink, type LinkComponent, useRouter } from '@tanstack/react-router';
import { type ComponentPropsWithoutRef, forwardRef, type MouseEvent, type ReactNode } from 'react';
import classes from './link.module.css';

type AnchorProps = ComponentPropsWithoutRef<'a'> & { leftSection?: ReactNode };

const PlainAnchor = forwardRef<HTMLAnchorElement, ComponentPropsWithoutRef<'a'>>((props, ref) => (
  <a ref={ref} className={classes.link} {...props} />
));
const ButtonAnchor = forwardRef<HTMLAnchorElement, Omit<ButtonProps, 'style'> & AnchorProps>((props, ref) => (
  <Button component="a" ref={ref} {...props} />
));

/** Links of the console: the router follows them without loading a page. */
export const TextLink: LinkComponent<typeof PlainAnchor> = createLink(PlainAnchor);
export const ButtonLink: LinkComponent<typeof ButtonAnchor> = createLink(ButtonAnchor);

const BackAnchor = forwardRef<HTMLAnchorElement, ComponentPropsWithoutRef<'a'> & { label: string }>(
  ({ label, ...props }, ref) => (
    <a ref={ref} className={classes.link} {...props}>
      ← {label}
    </a>
  ),
);

/** The way from a page to the list that it belongs to. */
export const BackLink: LinkComponent<typeof BackAnchor> = createLink(BackAnchor);

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** A link in a row of a list. Router links subscribe to every change of the address, which is too slow for long lists. */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter();
  const prepare = () => void router.preloadRoute({ to: href });
  return (
    <a
      className={classes.link}
      href={href}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        void router.navigate({ to: href });
      }}
    >
      {children}
    </a>
  );
}
