import type { CardPart } from '@countersign/proof-kit/decision-card';
import { Fragment, type ReactNode } from 'react';
import { ExactTime } from '../time.tsx';

/** Words of others are isolated, so that the writing direction of a name cannot reorder the sentence around it. */
const FORMS: Record<CardPart['kind'], (text: string) => ReactNode> = {
  text: (text) => text,
  name: (text) => <bdi>{text}</bdi>,
  code: (text) => <bdi className="mono">{text}</bdi>,
  quote: (text) => (
    <>
      “<bdi>{text}</bdi>”
    </>
  ),
  time: (text) => <ExactTime at={text} />,
};

/** A sentence of a decision card. */
export const Words = ({ of: parts }: { of: readonly CardPart[] }) =>
  parts.map(({ kind, text }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
    <Fragment key={place}>{FORMS[kind](text)}</Fragment>
  ));
