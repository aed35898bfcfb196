import { graphql, type ResultOf } from '../../graphql/graphql.ts';

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

export const CenterPlan = graphql(`
  query CenterPlan($id: Int!) {
    subscriptionOf(centerId: $id) {
      status
      planId
      planName
      billingCycle
      seatUsed
      seatLimit
      currentPeriodEnd
      plan { priceMonthly currency }
      usage { apiKeys decisionRecords webhooks workflows }
      features { id name description enabled neededPlan }
    }
  }
`);

export type Subscription = ResultOf<typeof CenterPlan>['subscriptionOf'];

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
