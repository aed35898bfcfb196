/**
 * Ids and tokens that only the reader's own server knows. The examples of the reference take them from the environment, and
 * `SETUP` exports them, so that every example runs as it is.
 */
const ANY_OPERATION: Record<string, string> = {
  adminActorId: 'ACTOR_ID',
  argumentsDigest: 'DIGEST',
  bookingId: 'BOOKING_ID',
  centerId: 'CENTER_ID',
  date: 'SLOT_DATE',
  eventId: 'MESSAGE_ID',
  forActorId: 'CHILD_ID',
  instructorId: 'INSTRUCTOR_ID',
  keyId: 'API_KEY_ID',
  refreshToken: 'REFRESH_TOKEN',
  startsAt: 'SLOT',
  webhookId: 'WEBHOOK_ID',
  workflowId: 'WORKFLOW_ID',
};

const ONE_OPERATION: Record<string, string> = {
  'addApproval.id': 'EVENT_ID',
  'getDecisionEvent.id': 'EVENT_ID',
  'claimDecision.id': 'DECISION_ID',
  'reportOutcome.id': 'DECISION_ID',
  'exportDecision.id': 'DECISION_ID',
  'getEvidence.id': 'EVIDENCE_ID',
  'exportEvidence.id': 'EVIDENCE_ID',
  'getProofState.id': 'DECISION_RECORD_ID',
  'requestMandate.keys': 'API_KEY_ID',
  'getMandate.id': 'MANDATE_ID',
  'revokeMandate.id': 'MANDATE_ID',
  'getDpu.id': 'RECORD_ID',
  'updateDpu.id': 'RECORD_ID',
  'verifyDpu.id': 'RECORD_ID',
  'getDpuResponsibility.id': 'RECORD_ID',
  'exportDpu.id': 'RECORD_ID',
  'verifySsoToken.token': 'SSO_TOKEN',
};

/** The variable for a parameter or member, as `$NAME` or in a list, or the example value if it needs none. */
export function exampleValue(operationId: string, name: string, example: unknown): unknown {
  const variable = ONE_OPERATION[`${operationId}.${name}`] ?? ANY_OPERATION[name];
  if (variable === undefined) return example;
  return Array.isArray(example) ? [`$${variable}`] : `$${variable}`;
}

export function tokenVariable(path: string): string {
  if (path.startsWith('/partner/')) return 'PARTNER_TOKEN';
  return path.startsWith('/admin/') ? 'PLATFORM_TOKEN' : 'TOKEN';
}

/** For a server with demo data. */
export const SETUP = `export BASE=\${BASE:-http://localhost:4000}
call() { curl -sS --fail-with-body "$BASE/api$1" -H "Authorization: Bearer $2" -H 'Content-Type: application/json' "\${@:3}"; }
field() { grep -o "\\"$1\\":\\"[^\\"]*" | head -n 1 | cut -d '"' -f 4 | grep .; }
first() { grep -o "$1" | head -n 1 | grep .; }
sign_in() { call /auth/login '' -d "{\\"email\\": \\"$1@demo.test\\", \\"password\\": \\"demo-Passw0rd!\\"$2}"; }
in_days() { date -u -d "+$1 days" +%F 2> /dev/null || date -u -v "+$1d" +%F; }

ADMIN=$(sign_in admin ', "centerDomain": "demo-rehab"') &&
TOKEN=$(echo "$ADMIN" | field accessToken) &&
REFRESH_TOKEN=$(echo "$ADMIN" | field refreshToken) &&
PARTNER_TOKEN=$(sign_in partner '' | field accessToken) &&
PLATFORM_TOKEN=$(sign_in root '' | field accessToken) &&
CHILD=$(sign_in child ', "centerDomain": "demo-rehab"') &&

ME=$(call /auth/me "$TOKEN") &&
ACTOR_ID=$(echo "$ME" | field actorId) &&
CENTER_ID=$(echo "$ME" | grep -o '"centerId":[0-9]*' | head -n 1 | cut -d : -f 2 | grep .) &&
CHILD_ID=$(echo "$CHILD" | field id) &&
SSO_TOKEN=$(call /auth/sso/token "$TOKEN" -d '{"targetApp": "lms"}' | field token) &&
WORKFLOW_ID=$(call /workflows "$TOKEN" | first 'wf_[0-9a-z]*') &&
RECORD_ID=$(call /dpu/demo "$TOKEN" -d '{"content": "Therapy plan of week 12 confirmed"}' | first 'dpu_[0-9a-z]*') &&

INSTRUCTOR_ID=$(call /centers/demo-rehab/instructors "$TOKEN" | field id) &&
for DAY in 4 5 6 7; do
  SLOT_DATE=$(in_days "$DAY")
  SLOTS=$(call "/centers/demo-rehab/available-slots?date=$SLOT_DATE&instructorId=$INSTRUCTOR_ID" "$TOKEN") || break
  SLOT=$(echo "$SLOTS" | field startsAt) && break
done &&
LATER=$(echo "$SLOTS" | grep -o '"startsAt":"[^"]*' | cut -d '"' -f 4 | sed -n 2p | grep .) &&
BOOKING_ID=$(call /bookings "$TOKEN" \\
  -d "{\\"instructorId\\": \\"$INSTRUCTOR_ID\\", \\"startsAt\\": \\"$LATER\\", \\"forActorId\\": \\"$CHILD_ID\\"}" | first 'bkg_[0-9a-z]*') &&

API_KEY=$(call /api-keys "$TOKEN" -d '{"name": "reference", "scopes": ["proof:write"]}') &&
API_KEY_ID=$(echo "$API_KEY" | first 'key_[0-9a-z]*') &&
KEY=$(call /api-keys "$TOKEN" -d '{"name": "examples", "scopes": ["proof:write"]}' | first 'csk_[A-Za-z0-9_]*') &&
EVENT_ID=$(call /v1/decision-events "$KEY" \\
  -d '{"type": "custom", "actor": {"id": "clerk", "type": "human"}, "action": {"type": "note.write"}}' | first 'evt_[0-9a-z]*') &&
DECISION=$(call /v1/agents/decide "$KEY" \\
  -d '{"agent": {"id": "refund-agent"}, "action": {"type": "refund.grant", "input": {}}, "riskScore": 0.1}') &&
DECISION_ID=$(echo "$DECISION" | first 'evt_[0-9a-z]*') &&
DIGEST=$(echo "$DECISION" | first 'sha256:[0-9a-f]*') &&
EVIDENCE=$(call "/v1/decision-events/$DECISION_ID" "$KEY") &&
EVIDENCE_ID=$(echo "$EVIDENCE" | first 'evd_[0-9a-z]*') &&
DECISION_RECORD_ID=$(curl -sS --fail-with-body "$BASE/graphql" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d "{\\"query\\": \\"{ decisionEvent(id: \\\\\\"$DECISION_ID\\\\\\") { dpuId } }\\"}" | first 'dpu_[0-9a-z]*') &&
MANDATE_ID=$(call /v1/mandates "$KEY" -d "{\\"agent\\": {\\"id\\": \\"refund-agent\\"}, \\"actionPattern\\": \\"refund.*\\",
  \\"reason\\": \\"Small refunds\\", \\"validUntil\\": \\"$(in_days 30)T00:00:00.000Z\\"}" | first 'mnd_[0-9a-z]*') &&
WEBHOOK_ID=$(call /v1/webhooks "$KEY" -d '{"url": "https://hooks.shop.example/examples", "events": ["dpu.sealed"]}' | first 'whk_[0-9a-z]*') &&
MESSAGE_ID=$(call "/v1/webhooks/$WEBHOOK_ID/test" "$KEY" -d '{"type": "dpu.sealed"}' | first 'msg_[0-9a-z]*') &&
export TOKEN REFRESH_TOKEN PARTNER_TOKEN PLATFORM_TOKEN KEY SSO_TOKEN ACTOR_ID CHILD_ID CENTER_ID INSTRUCTOR_ID SLOT SLOT_DATE \\
  BOOKING_ID API_KEY_ID WORKFLOW_ID RECORD_ID EVENT_ID DECISION_ID DECISION_RECORD_ID DIGEST EVIDENCE_ID MANDATE_ID WEBHOOK_ID MESSAGE_ID
`;
