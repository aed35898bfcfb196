/** Kinds of ids by the names of fields, arguments and addresses that take them; keys are those of `ForeignTenant.ids`. */
const kindsByName: [RegExp, string[]][] = [
  [/apiKey/i, ['key']],
  [/scimToken/i, ['scm']],
  [/session|passkey/i, ['ses']],
  [/member|guardian/i, ['mbr']],
  [/dpu|proof|reference|export/i, ['dpu']],
  [/availab|slots/i, ['avl']],
  [/book|attendance|schedule/i, ['bkg', 'att']],
  [/certificate/i, ['crt', 'dpu']],
  [/event|decision|approv|outcome/i, ['evt', 'sealed event', 'dec', 'apr', 'msg']],
  [/evidence/i, ['evd']],
  [/mandate/i, ['mnd']],
  [/group/i, ['grp']],
  [/chat/i, ['cht']],
  [/providerTest/i, ['ptt']],
  [/linkIdentity/i, ['idn']],
  [/delegat/i, ['dlg']],
  [/webhook|sample/i, ['whk', 'msg']],
  [/workflow/i, ['wf', 'exe']],
  [/polic/i, ['pol']],
  [/checkpoint|consistency/i, ['chk']],
  [/plan|provision|onboard|subscription/i, ['sub', 'pay']],
  [/partner|allCenters/i, ['ptn']],
  [/person|center|audit/i, ['aud']],
];

/** The kinds that a name could refer to; undefined if the name does not tell. */
export function fittingKinds(...names: string[]): Set<string> | undefined {
  const name = names.join('.');
  const fitting = kindsByName.filter(([pattern]) => pattern.test(name)).flatMap(([, kinds]) => kinds);
  return fitting.length > 0 ? new Set(fitting) : undefined;
}
