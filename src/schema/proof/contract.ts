/** The input schemas of the Proof API, for the REST rows that check bodies before a document runs. */
export {
  addApprovalInput,
  agentDecisionInput,
  listDecisionsInput,
  outcomeInput,
  recordDecisionInput,
} from '../../domain/proof/input.ts';
export { requestMandateBody } from '../../domain/proof/mandate-terms.ts';
