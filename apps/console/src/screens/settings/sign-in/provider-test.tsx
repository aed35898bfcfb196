import { printable } from '@countersign/proof-kit/printable';
import { Button, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isObject, type Json } from '../../../graphql/graphql.ts';
import { useRoleNames } from '../../../session/session-context.ts';
import { Facts } from '../../../ui/facts.tsx';
import { FailureNote } from '../../../ui/failure-note.tsx';
import { JsonText } from '../../../ui/json.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { type TestResult, type useProviderTest, useTestResult } from './use-provider-test.ts';

/** What a sign-in with the identity would do. */
const outcomes: Record<NonNullable<TestResult['person']>['action'], (name: string) => string> = {
  SIGN_IN: (name) => `A sign-in opens the center for ${name}, whose identity is known.`,
  BIND: (name) => `A sign-in opens the center for ${name}, whom the directory created.`,
  CONNECT: (name) =>
    `A sign-in asks for a proof that the profile of ${name} is theirs, and then opens the center.`,
  ACCEPT: (name) => `A sign-in accepts the invitation of ${name}.`,
  CREATE: (name) => `A sign-in creates ${name} as a new person.`,
};

/** The state of a test that was started here. */
export function ProviderTest({ of }: { of: ReturnType<typeof useProviderTest> }) {
  const { test, result, failure, startFailure } = of;
  if (startFailure) return <FailureNote failure={startFailure} />;
  if (!test) return null;
  return (
    <Shown result={result} failure={failure}>
      <Text size="sm">
        Sign in at the provider in the new tab. The result is shown here and there; nothing is created.
      </Text>
      {test.isBlocked && (
        <div>
          <Button
            component="a"
            href={test.url}
            target="_blank"
            rel="noopener"
            size="xs"
            variant="default"
            rightSection={<IconExternalLink size={14} />}
          >
            Open the test sign-in
          </Button>
        </div>
      )}
    </Shown>
  );
}

/** The state of a test in the tab that the provider returned to. */
export const ReturnedTest = ({ id }: { id: string }) => (
  <Shown {...useTestResult(id)}>
    <Text size="sm">The provider has not answered yet.</Text>
  </Shown>
);

interface ShownProps extends ReturnType<typeof useTestResult> {
  /** While it waits. */
  children: ReactNode;
}

function Shown({ result, failure, children }: ShownProps) {
  if (failure) return <FailureNote failure={failure} />;
  return (
    <div role="status">
      {!result || result.status === 'WAITING' ? <Stack gap={8}>{children}</Stack> : <Result of={result} />}
    </div>
  );
}

const titles: Record<Exclude<TestResult['status'], 'WAITING'>, string> = {
  SUCCEEDED: 'The test succeeded',
  FAILED: 'The test failed',
  EXPIRED: 'The test has expired. Start it again.',
};

function Result({ of: { status, code, reason, claims, role, person } }: { of: TestResult }) {
  const roles = useRoleNames();
  if (status === 'WAITING') return null;
  const isGood = status === 'SUCCEEDED';
  const name = printable(person?.name || 'the person');
  return (
    <Stack gap={12}>
      <div>
        <Pill tone={isGood ? 'good' : 'bad'}>{titles[status]}</Pill>
      </div>
      {person && <Text size="sm">{outcomes[person.action](name)}</Text>}
      {reason && (
        <Text size="sm">
          {reason} <span className="mono">{code}</span>
        </Text>
      )}
      {role && <Facts of={{ Role: roles.one(role) }} />}
      {isObject(claims ?? undefined) && (
        <div>
          <Text size="sm" mb={6}>
            Claims received
          </Text>
          <JsonText value={visible(claims as Json)} label="Claims received" />
        </div>
      )}
    </Stack>
  );
}

/** Claims are texts of the provider: invisible characters are shown as escapes. */
function visible(value: Json): Json {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(visible);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [printable(name), visible(member)]),
  );
}
