import { useDebouncedValue } from '@mantine/hooks';
import { graphql } from '../graphql/graphql.ts';
import { useRead } from '../graphql/use-read.ts';
import { hasFeature, useSession } from '../session/session-context.ts';
import { decisionStates, headlineOf, stateOf } from '../text/labels.ts';
import { usePlace } from './place.ts';

/** A search result with its address. */
export interface SearchHit {
  id: string;
  group: 'Decisions' | 'People' | 'API keys' | 'Webhooks' | 'Workflows' | 'Centers' | 'Partners';
  label: string;
  description?: string | undefined;
  to: string;
  search?: Record<string, string>;
}

const FindInCenter = graphql(`
  query FindInCenter($words: String!, $keys: Boolean!, $webhooks: Boolean!, $workflows: Boolean!) {
    decisionEvents(first: 6, filter: { search: $words }) {
      edges { node { id status action { type description } } }
    }
    members(first: 6, filter: { search: $words }) { edges { node { id name email } } }
    apiKeys(first: 50) @include(if: $keys) { edges { node { id name } } }
    webhooks(first: 50) @include(if: $webhooks) { edges { node { id url description } } }
    workflows(first: 50) @include(if: $workflows) { edges { node { id name } } }
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
    const { decisionEvents, members, apiKeys, webhooks, workflows } = center.data;
    return [
      ...decisionEvents.edges.map(
        ({ node: { id, status, action } }): SearchHit => ({
          id,
          group: 'Decisions',
          label: headlineOf(action),
          description: stateOf(decisionStates, status)[0],
          to: at(`/decisions/${id}`),
        }),
      ),
      ...members.edges.map(
        ({ node: { id, name, email } }): SearchHit => ({
          id,
          group: 'People',
          label: name,
          description: email ?? undefined,
          to: at(`/people/${id}`),
        }),
      ),
      ...(apiKeys?.edges ?? [])
        .filter(({ node }) => has(node.name))
        .map(
          ({ node: { id, name } }): SearchHit => ({
            id,
            group: 'API keys',
            label: name,
            to: at('/api-keys'),
          }),
        ),
      ...(webhooks?.edges ?? [])
        .filter(({ node }) => has(`${node.description ?? ''} ${node.url}`))
        .map(
          ({ node: { id, url, description } }): SearchHit => ({
            id,
            group: 'Webhooks',
            label: description || url,
            description: description ? url : undefined,
            to: at(`/webhooks/${id}`),
          }),
        ),
      ...(workflows?.edges ?? [])
        .filter(({ node }) => has(node.name))
        .map(
          ({ node: { id, name } }): SearchHit => ({
            id,
            group: 'Workflows',
            label: name,
            to: at(`/workflows/${id}`),
          }),
        ),
    ];
  }
  if (place === 'partner' && partner.data) {
    return [
      ...centersAt('/partner/centers', partner.data.partnerCenters.edges),
      ...partner.data.partnerMembers.edges.map(
        ({ node: { id, name, email, centerName } }): SearchHit => ({
          id,
          group: 'People',
          label: name,
          description: centerName,
          to: '/partner/members',
          search: { search: email ?? name },
        }),
      ),
    ];
  }
  if (place === 'platform' && platform.data) {
    return [
      ...centersAt('/platform/centers', platform.data.allCenters.edges),
      ...platform.data.partners.edges.map(
        ({ node: { id, name } }): SearchHit => ({
          id,
          group: 'Partners',
          label: name,
          to: `/platform/partners/${id}`,
        }),
      ),
      ...platform.data.allPeople.edges.map(
        ({ node: { id, name, email } }): SearchHit => ({
          id,
          group: 'People',
          label: name || email || '',
          description: email ?? undefined,
          to: `/platform/users/${id}`,
        }),
      ),
    ];
  }
  return [];
}

interface CenterEdge {
  node: { id: number; name: string; centerDomain: string };
}

const centersAt = (to: string, edges: readonly CenterEdge[]): SearchHit[] =>
  edges.map(({ node: { id, name, centerDomain } }) => ({
    id: String(id),
    group: 'Centers',
    label: name,
    description: centerDomain,
    to: `${to}/${id}`,
  }));
