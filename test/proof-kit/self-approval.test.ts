import {
  type DecisionFacts,
  isSamePerson,
  quorumOf,
  type Requirements,
  selfApproval,
} from '@countersign/proof-kit';
import { describe, expect, it } from 'vitest';
import { agent, by, facts } from './facts.ts';

describe('selfApproval finds approvals by the actor', () => {
  const anybody = quorumOf({ quorum: [{ count: 1 }] })!;
  it.each<[string, Partial<Requirements>, DecisionFacts, number]>([
    [
      'an agent that approves itself',
      {},
      { ...agent, actorId: 'bot-7', approvals: [by('ada'), by('BOT-7')] },
      1,
    ],
    ['a person without a guard', {}, facts({ approvals: [by('ben')] }), -1],
    ['a person under a quorum', { quorums: [anybody] }, facts({ approvals: [by('ben')] }), 0],
    [
      'a delegate on behalf of the actor',
      { quorums: [anybody] },
      facts({ approvals: [by('ada', { onBehalfOf: 'ben' })] }),
      0,
    ],
    ['a person under dual approval', { dualApproval: true }, facts({ approvals: [by('Ben ')] }), 0],
    [
      'a person with an AI context',
      { humanReviewForAi: true },
      facts({ hasAiContext: true, approvals: [by('ben')] }),
      0,
    ],
    ['a person without an AI context', { humanReviewForAi: true }, facts({ approvals: [by('ben')] }), -1],
    ['a rejection', { dualApproval: true }, facts({ approvals: [by('ben', { result: 'rejected' })] }), -1],
  ])('%s', (_, asked, given, index) => {
    expect(selfApproval(asked, given)).toBe(index);
  });
});

describe('spellings of one person', () => {
  it.each([
    ['Ada', 'ADA'],
    ['ada', ' ada '],
    ['ada', 'a\u200bd\u00ada'],
    ['ada', 'ａｄａ'],
    ['ada', '\u202eada\u202c'],
    ['straße', 'STRASSE'],
    ['ﬁona', 'FIONA'],
    ['Ångström', 'A\u030angstro\u0308m'],
    ['ada', 'a\u{e0061}da'],
    ['ΣΑΣ', 'σας'],
    ['ada lovelace', 'Ada\u00a0Lovelace'],
  ])('%j equals %j', (one, other) => {
    expect(isSamePerson(one, other)).toBe(true);
  });

  it.each([
    ['ada', 'adam'],
    ['ada', 'аda'],
    ['a b', 'ab'],
    ['1', '10'],
  ])('%j differs from %j', (one, other) => {
    expect(isSamePerson(one, other)).toBe(false);
  });
});
