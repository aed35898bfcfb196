import { printable } from '@countersign/proof-kit/printable';
import { useDebouncedValue } from '@mantine/hooks';
import { graphql } from '../graphql/graphql.ts';
import { useRead } from '../graphql/use-read.ts';
import { hasFeature, useSession } from '../session/session-context.ts';
import { decisionStates, headlineOf, stateOf } from '../text/labels.ts';
import { usePlace } from './place.ts';

/** A search result with its address. */
export interface SearchHit {
  id: string;
  group: 'Decisions' | 'People' | 'API keys' | 'Policies' | 'Webhooks' | 'Workflows' | 'Centers' | 'Partners';
  label: string;
  description?: string | null;
  to: string;
  search?: Record<string, string>;
}

const FindInCenter = graphql(`
  query FindInCenter($words: String!, $keys: Boolean!, $webhooks: Boolean!, $workflows: Boolean!) {
    decisionEvents(first: 6, filter: { search: $words }) {
      edges { node { id status action { type description } } }
    }
    members(first: 6, filter: { search: $words }) { edges { node { id name email } } }
    policies(first: 100) { edges { node { id name actionPattern } } }
    apiKeys(first: 6, search: $words) @include(if: $keys) { edges { node { id name } } }
    webhooks(first: 100) @include(if: $webhooks) { edges { node { id url description } } }
    workflows(first: 100) @include(if: $workflows) { edges { node { id name } } }
  }
`);
const FindInPartner = graphql(`
  query FindInPartner($words: String!) {
    partnerCenters(first: 6, search: $words) { edges { node { id name centerDomain } } }
    partnerMembers(first: 6, search: $words) { edges { node { id name email centerName } } }
  }
`);
const FindInPlatform = graphql(`
  query FindInPlatform($words: String!) {
    allCenters(first: 6, search: $words) { edges { node { id name centerDomain } } }
    partners(first: 6, search: $words) { edges { node { id name } } }
    allPeople(first: 6, search: $words) { edges { node { id name email } } }
  }
`);

const SHORTEST = 2;
const PAUSE_MS = 200;

/** Search results in this place that the user may read. */
export function useSearchHits(typed: string): SearchHit[] {
  const session = useSession();
  const { me } = session;
  const place = usePlace();
  const [words] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const isLong = words.length >= SHORTEST;
  const at = (path: string) => `/c/${me.centerDomain}${path}`;
  const has = (text: string) => text.toLowerCase().includes(words.toLowerCase());
  const center = useRead(
    FindInCenter,
    {
      words,
      // A field of a feature that the center lacks would fail the whole query.
      keys: hasFeature(session, 'proofApi'),
      webhooks: hasFeature(session, 'webhooks'),
      workflows: hasFeature(session, 'workflows'),
    },
    { pause: !isLong || place !== 'center' || me.role !== 'ADMIN' },
  );
  const partner = useRead(
    FindInPartner,
    { words },
    { pause: !isLong || place !== 'partner' || me.partner === null },
  );
  const platform = useRead(
    FindInPlatform,
    { words },
    { pause: !isLong || place !== 'platform' || !me.platformAdmin },
  );
  if (!isLong) return [];
  if (place === 'center' && center.data) {
    const { decisionEvents, members, policies, apiKeys, webhooks, workflows } = center.data;
    return [
      ...hits('Decisions', decisionEvents, ({ id, status, action }) => ({
        label: headlineOf(action),
        description: stateOf(decisionStates, status)[0],
        to: at(`/decisions/${id}`),
      })),
      ...hits('People', members, ({ id, name, email }) => ({
        label: name,
        description: email,
        to: at(`/people/${id}`),
      })),
      ...hits(
        'Policies',
        policies,
        ({ id, name, actionPattern }) =>
          has(`${name} ${actionPattern}`) && {
            label: printable(name),
            description: actionPattern,
            to: at(`/policies/${id}`),
          },
      ),
      ...hits('API keys', apiKeys, ({ name }) => ({ label: name, to: at('/api-keys') })),
      ...hits(
        'Webhooks',
        webhooks,
        ({ id, url, description }) =>
          has(`${description ?? ''} ${url}`) && {
            label: description || url,
            description: description ? url : null,
            to: at(`/webhooks/${id}`),
          },
      ),
      ...hits(
        'Workflows',
        workflows,
        ({ id, name }) => has(name) && { label: name, to: at(`/workflows/${id}`) },
      ),
    ];
  }
  if (place === 'partner' && partner.data) {
    return [
      ...hits('Centers', partner.data.partnerCenters, centerAt('/partner/centers')),
      ...hits('People', partner.data.partnerMembers, ({ name, email, centerName }) => ({
        label: name,
        description: centerName,
        to: '/partner/members',
        search: { search: email ?? name },
      })),
    ];
  }
  if (place === 'platform' && platform.data) {
    return [
      ...hits('Centers', platform.data.allCenters, centerAt('/platform/centers')),
      ...hits('Partners', platform.data.partners, ({ id, name }) => ({
        label: name,
        to: `/platform/partners/${id}`,
      })),
      ...hits('People', platform.data.allPeople, ({ id, name, email }) => ({
        label: name || email || '',
        description: email,
        to: `/platform/users/${id}`,
      })),
    ];
  }
  return [];
}

/** The nodes of a list as hits, without those that do not match. */
const hits = <Node extends { id: string | number }>(
  group: SearchHit['group'],
  list: { edges: { node: Node }[] } | null | undefined,
  hitOf: (node: Node) => Omit<SearchHit, 'id' | 'group'> | false,
): SearchHit[] =>
  (list?.edges ?? []).flatMap(({ node }) => {
    const hit = hitOf(node);
    return hit ? [{ id: String(node.id), group, ...hit }] : [];
  });

const centerAt =
  (pages: string) =>
  ({ id, name, centerDomain }: { id: number; name: string; centerDomain: string }) => ({
    label: name,
    description: centerDomain,
    to: `${pages}/${id}`,
  });
