/** What a proof can show or withhold, by the path under which it is sealed. */
export const disclosable: [path: string, label: string][] = [
  ['decisionId', 'The id of the decision in your own system'],
  ['actor.id', 'The id of the actor'],
  ['actor.name', 'The name of the actor'],
  ['action.description', 'The description of the action'],
  ['action.input', 'What the decision was given'],
  ['action.output', 'What came of it'],
  ['aiContext.model', 'The model'],
  ['aiContext.provider', 'Who runs the model'],
  ['aiContext.confidence', 'How sure the model was'],
  ['aiContext.reasoning', 'The reasoning of the model'],
  ['tags', 'Tags'],
  ['riskScore', 'The risk'],
  ['approvals.approver.id', 'The ids of the approvers'],
  ['approvals.approver.name', 'The names of the approvers'],
  ['approvals.reason', 'The reasons of the approvers'],
  ['outcome.output', 'What was reported after carrying it out'],
  ['outcome.by.id', 'The account or key that reported the outcome'],
];

/** What can be erased besides. */
export const erasable: [path: string, label: string][] = [
  ...disclosable.filter(([path]) => path !== 'outcome.by.id'),
  ['approvals.by.id', 'The accounts or keys that approved'],
  ['approvals.signature', 'The signatures of the approvers'],
];
