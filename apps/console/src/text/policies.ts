export const scopeLabels: Record<string, string> = {
  CENTER: 'This center',
  REGION: 'All centers of the region',
  COUNTRY: 'All centers of the country',
  GLOBAL: 'All centers',
};

export const levelLabels: Record<string, string> = {
  DRAFT: 'a draft',
  DOCUMENTED: 'documented',
  AUDIT_READY: 'ready for an audit',
};

export const authenticationLabels: Record<string, string> = {
  ASSERTED: 'Asserted by an API key',
  SESSION: 'Signed in',
  SIGNED: 'Signed with a passkey',
};

interface Guards {
  minimumEvidenceLevel: string | null;
  humanReviewForAi: boolean | null;
  riskThreshold: number | null;
  riskRequired: boolean | null;
  dualApproval: boolean | null;
  approverAuthentication: string | null;
  passkeyAgeHours?: number | null;
  quorum?: { count: number }[] | null;
}

/** The requirements of a policy. */
export function demands(guards: Guards): string[] {
  return [
    guards.humanReviewForAi ? 'a person reviews AI decisions' : null,
    guards.humanReviewForAi === false ? 'no review of AI decisions' : null,
    guards.riskThreshold !== null
      ? `a person approves above a risk of ${Math.round(guards.riskThreshold * 100)} %`
      : null,
    guards.riskRequired ? 'unrated decisions count as highest risk' : null,
    guards.quorum ? quorumLabel(guards.quorum) : null,
    guards.dualApproval ? 'two approvers' : null,
    guards.dualApproval === false ? 'one approver is enough' : null,
    guards.minimumEvidenceLevel ? `evidence ${levelLabels[guards.minimumEvidenceLevel]}` : null,
    guards.approverAuthentication === 'SESSION' ? 'approvers must be signed in' : null,
    guards.approverAuthentication === 'SIGNED' ? 'approvers must sign with a passkey' : null,
    guards.passkeyAgeHours ? `passkeys are at least ${guards.passkeyAgeHours} hours old` : null,
  ].flatMap((each) => each ?? []);
}

function quorumLabel(seats: { count: number }[]): string {
  const people = seats.reduce((sum, { count }) => sum + count, 0);
  return people === 1 ? 'a quorum of one' : `a quorum of ${people}`;
}
