import { Button } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import classes from './provider-button.module.css';

interface ProviderButtonProps {
  name: string;
  href: string;
  variant?: 'filled' | 'default';
}

/** Leaves the console for the sign-in page of a company. */
export const ProviderButton = ({ name, href, variant = 'filled' }: ProviderButtonProps) => (
  <Button
    component="a"
    href={href}
    variant={variant}
    size="md"
    fullWidth
    classNames={{ root: classes.button!, label: classes.label! }}
    leftSection={<IconBuilding size={18} />}
  >
    Continue with {name}
  </Button>
);
