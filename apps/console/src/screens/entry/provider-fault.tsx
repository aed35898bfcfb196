import { Alert, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ErrorCode } from '../../../../../src/lib/errors.ts';

interface Words {
  title: string;
  /** What to do now. */
  next: string;
}

const words: Partial<Record<ErrorCode, Words>> = {
  VALIDATION_ERROR: {
    title: 'The sign-in was incomplete',
    next: 'The address of the sign-in was cut off or changed. Start again from this page.',
  },
  CENTER_NOT_FOUND: {
    title: 'This center has no company sign-in',
    next: 'Check the name of the center, or sign in with your password.',
  },
  CENTER_SUSPENDED: {
    title: 'This center is suspended',
    next: 'Its members cannot sign in at the moment. Ask an administrator of the center.',
  },
  UNAUTHORIZED: {
    title: 'The sign-in could not be verified',
    next: 'It expired, was already used, or was begun in another browser. Start again from this page. If it happens again, tell an administrator of your center.',
  },
  FORBIDDEN: {
    title: 'Your company did not let you in',
    next: 'The sign-in was canceled or refused there. Try again, or ask your IT department for access to this service.',
  },
  NO_MEMBERSHIP: {
    title: 'You are not a member of this center',
    next: 'Your company confirmed who you are, but gives you no role here. Ask an administrator of the center.',
  },
  MEMBERSHIP_SUSPENDED: {
    title: 'Your membership is suspended',
    next: 'Ask an administrator of the center to reinstate it.',
  },
  MEMBERSHIP_ENDED: {
    title: 'Your membership has ended',
    next: 'Ask an administrator of the center to invite you again.',
  },
  CONFLICT: {
    title: 'The center has no seat left',
    next: 'Ask an administrator of the center to free a seat or to extend the subscription, then sign in again.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Your company’s sign-in did not answer',
    next: 'Try again in a minute. If it happens again, tell an administrator of your center.',
  },
  RATE_LIMITED: {
    title: 'Too many sign-ins',
    next: 'Wait a minute, then try again.',
  },
};

/** What the same codes mean when a sign-in is connected to an account. */
const linkWords: Partial<Record<ErrorCode, Words>> = {
  CONFLICT: {
    title: 'This company sign-in belongs to someone else',
    next: 'It is connected to another account or member, or its owner approved a decision that is still open. Nothing has changed. Ask an administrator of the center.',
  },
  UNAUTHORIZED: {
    title: 'The sign-in at your company was not accepted',
    next: 'It expired, was already used, or was begun in another session or browser. Nothing has changed. Try again.',
  },
};

const OTHER: Words = {
  title: 'The sign-in failed',
  next: 'Try again. If it happens again, tell an administrator of your center.',
};

/** A request id of this service. Nothing else from the address appears on the page. */
const REQUEST_ID = /^[\w-]{1,64}$/;

interface ProviderFaultProps {
  code: string | undefined;
  request: string | undefined;
  /** The sign-in was to be connected to the account, or to confirm its session. */
  isLink?: boolean;
}

/** Why a sign-in through a company's provider failed, by the code in the address. */
export function ProviderFault({ code, request, isLink }: ProviderFaultProps) {
  if (!code) return null;
  const known = isLink ? { ...words, ...linkWords } : words;
  const { title, next } = (Object.hasOwn(known, code) && known[code as ErrorCode]) || OTHER;
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle size={18} />} title={title}>
      {next}
      {request && REQUEST_ID.test(request) && (
        <Text size="sm" c="dimmed" mt={6}>
          Request <span className="mono">{request}</span>
        </Text>
      )}
    </Alert>
  );
}
