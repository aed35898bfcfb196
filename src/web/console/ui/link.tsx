import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import { type ComponentPropsWithoutRef, forwardRef, type ReactNode } from 'react';
import classes from './link.module.css';

type AnchorProps = ComponentPropsWithoutRef<'a'> & { leftSection?: ReactNode };

const PlainAnchor = forwardRef<HTMLAnchorElement, ComponentPropsWithoutRef<'a'>>((props, ref) => (
  <Anchor ref={ref} underline="always" classNames={{ root: classes.link! }} inherit {...props} />
));
const ButtonAnchor = forwardRef<HTMLAnchorElement, Omit<ButtonProps, 'style'> & AnchorProps>((props, ref) => (
  <Button component="a" ref={ref} {...props} />
));

/** Links of the console: the router follows them without loading a page. */
export const TextLink: LinkComponent<typeof PlainAnchor> = createLink(PlainAnchor);
export const ButtonLink: LinkComponent<typeof ButtonAnchor> = createLink(ButtonAnchor);
