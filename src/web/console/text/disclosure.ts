/** Values that a proof discloses or withholds, by their path in the sealed record. */
export const disclosable: [path: string, label: string][] = [
  ['decisionId', 'Your decision ID'],
  ['actor.id', 'Actor ID'],
  ['actor.name', 'Actor name'],
  ['action.description', 'Action description'],
  ['action.input', 'Input'],
  ['action.output', 'Output'],
  ['aiContext.model', 'The model'],
  ['aiContext.provider', 'Model provider'],
  ['aiContext.confidence', 'Model confidence'],
  ['aiContext.reasoning', 'Model reasoning'],
  ['tags', 'Tags'],
  ['riskScore', 'The risk'],
  ['approvals.approver.id', 'Approver IDs'],
  ['approvals.approver.name', 'Approver names'],
  ['approvals.reason', 'Approver reasons'],
  ['outcome.output', 'Reported output'],
  ['outcome.by.id', 'Account or key that reported the outcome'],
];

/** What can be erased besides. */
export const erasable: [path: string, label: string][] = [
  ...disclosable.filter(([path]) => path !== 'outcome.by.id'),
  ['approvals.by.id', 'Accounts or keys that approved'],
  ['approvals.signature', 'Approver signatures'],
];
