/** Texts for models, which use them alone to choose a tool and to interpret its result. */
export const INSTRUCTIONS = `Countersign decides on actions before they are carried out, and proves it afterwards.

Before you do anything that needs permission, call request_decision with the exact call you want to make: what kind of
action it is, its arguments in action.input, and why. Then look at the answer:
- outcome "completed": it is approved and sealed. Carry out exactly that call, once, then report with report_outcome.
- outcome "awaiting_approval": a person has to decide. Do NOT act. Wait for the task, or ask again with get_decision.
- outcome "rejected" or "expired": you may not do it. Do not ask again for the same call unless a person tells you to.
Permission is for these very arguments: a call with other arguments needs a decision of its own.`;

export const titles = {
  request_decision: 'Ask before acting',
  get_decision: 'Look at a decision',
  report_outcome: 'Report what became of it',
  list_decisions: 'List decisions',
  request_mandate: 'Request a mandate',
  list_mandates: 'List mandates',
  verify_proof: 'Check a proof',
} as const;

export type ToolName = keyof typeof titles;

export const descriptions: Record<ToolName, string> = {
  request_decision: `Ask for permission before you carry out an action. Put the exact arguments of the action into action.input: \
the decision holds for these and no others. The policies of the organization decide at once, or a person does. The \
answer's outcome is "completed" (approved and sealed: act now, once, then call report_outcome with the argumentsDigest of \
this answer), "awaiting_approval" (do not act; a person decides until expiresAt, after that it counts as rejected), \
"rejected" or "expired" (do not act). Give an idempotencyKey of your own, the same for every try at one action, so that a \
repeat after a lost answer finds the same decision instead of asking twice.`,
  get_decision: `Look at a decision by its eventId, for example to see whether a person has decided on one that was \
"awaiting_approval". status "sealed" means approved: act now, once. "rejected" means do not act. "recorded" or "approved" \
means that it still waits: ask again later, not more often than every few seconds.`,
  report_outcome: `After you have carried out what a sealed decision allowed, say whether it worked: status "executed" or \
"failed", the argumentsDigest that request_decision gave you, and, if you like, what came of it in output. Only once for \
each decision; it becomes part of the proof. An error CONFLICT means that the decision is not sealed, that the digest is \
of other arguments, or that an outcome was reported already.`,
  list_decisions: `List decisions of your organization, newest first. Filter by status ("recorded" waits, "approved" waits \
for a second approval, "sealed" is approved, "rejected"), by type or by tag; page with limit and offset.`,
  request_mandate: `Request an approval for many calls of one kind, instead of asking for each. Name the agent (the agent.id \
of your request_decision calls), the actionPattern ("refund.grant" or "refund.*"), an end (validUntil) and, better, limits: \
maxUses, a budget over a number in action.input, a condition. It holds for calls with your own API key, unless you name \
others in keys. A person decides on the request; until then every call still asks by itself. Once it is granted, request_decision answers "completed" for the calls that it covers.`,
  list_mandates: `List the mandates of your organization, newest first, with what was used of each. Only a mandate with the \
status "active" covers calls; you still call request_decision for each of them.`,
  verify_proof: `Check a proof of a decision: either one of this service by its evidenceId (the evidence.id of \
get_decision), or a document that somebody handed you. The verdict is "proven", "consistent" (agrees with itself, but \
nobody whom this service trusts has signed it), "partial" (something is withheld or missing), "refuted" or "unreadable"; \
reasons say why.`,
};

/** What to do with a result, for models that read the text and not the structure. */
export const advice = {
  sealed: 'Approved and sealed. Carry out exactly this call, once, then call report_outcome.',
  reported: 'Carried out already: its outcome was reported. Do not act again.',
  claimed: 'Already claimed and being carried out. Do not act unless the claim is yours.',
  notSealedYet:
    'Approved, but not sealed yet. Do not act; call request_decision again with the same idempotencyKey.',
  mandateRequested: 'A person decides on the mandate. Until it is active, each call asks by itself.',
  waits: 'A person has to decide. Do not act. Ask again with get_decision.',
  rejected: 'Rejected. Do not act.',
  expired: 'Nobody decided in time, which counts as a rejection. Do not act.',
  withdrawn: 'The request was withdrawn. Do not act.',
} as const;
