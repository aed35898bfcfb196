import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { SubscriptionFields } from './subscription-facts.tsx';

export const ManagedCenter = graphql(`
  query ManagedCenter($id: Int!) {
    managedCenter(id: $id) {
      id
      name
      centerDomain
      customDomain
      description
      tenantType
      status
      vertical
      memberCount
      createdAt
      partner { id name }
    }
  }
`);

export type Center = ResultOf<typeof ManagedCenter>['managedCenter'];

export const CenterPlan = graphql(
  `query CenterPlan($id: Int!) { subscriptionOf(centerId: $id) { ...SubscriptionFields } }`,
  [SubscriptionFields],
);

export const Plans = graphql(`
  query PlansToChoose {
    plans(kind: CENTER) {
      id name vertical priceMonthly currency seatLimit includes { id name description }
    }
  }
`);

export const ChangePlan = graphql(`
  mutation ChangePlan($input: ChangePlanInput!) { changePlan(input: $input) { id planId planName } }
`);

/** Of the platform; that of a partner takes the same fields. */
export const CreateCenter = graphql(`
  mutation CreateCenter($input: CreateCenterInput!) {
    createCenter(input: $input) { center { id name } admin { email } }
  }
`);
