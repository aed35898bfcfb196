import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { expect, test } from 'vitest';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { hasPython } from '../verifiers/python-process.ts';
import { lyingProvider } from './helpers/lying-provider.ts';
import { saveProvider, signInThroughProvider, testAppAtPublicUrl } from './helpers/sign-in.ts';
import { Visitor } from './helpers/visitor.ts';

const verifier = fileURLToPath(new URL('../../verifiers/python/countersign_verify.py', import.meta.url));

/** The last two are as long as a provider may make them; their bytes are more than their characters. */
const SUBJECTS = { plain: '248289761001', long: 's'.repeat(255), strange: 'ü"\\\u{1f600}'.repeat(51) };

test.each(Object.entries(SUBJECTS))(
  'a sign-in with a %s subject leads to an approval that both verifiers accept',
  async (_, sub) => {
    const house = await testAppAtPublicUrl();
    const provider = await lyingProvider({ sub });
    const { center, token, key } = await makeStage(house.app);
    const saved = await saveProvider(house, token, provider, { defaultRole: 'ADMIN' });
    expect(saved.errors).toBeUndefined();
    const person = await signInThroughProvider(house, center, 'anyone', { visitor: new Visitor() });
    expect(person.error).toBeNull();

    const { body } = await house.call('POST', '/v1/decision-events', { token: key, body: decision });
    const approve = `mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }`;
    const input = { eventId: body.data.id, result: 'approved', reason: 'Fine.' };
    const { data } = await house.graphql(approve, { input }, person.token);
    expect(data).toEqual({ approveDecision: { evidenceLevel: 'AUDIT_READY' } });

    const exported = await house.call('GET', `/v1/evidence/${body.data.evidence.id}/export`, { token: key });
    const { by } = exported.body.evidence.approval;
    expect(by).toMatchObject({ via: 'oidc', identity: { issuer: provider.issuer, subject: sub } });
    const { verdict, reason } = await verifyProof(exported.text);
    expect([verdict, reason]).toEqual(['consistent', expect.any(String)]);
    if (!hasPython) return;
    const file = join(house.database.dataDir, 'proof.json');
    writeFileSync(file, exported.text);
    const { stdout } = spawnSync('python3', [verifier, file], { encoding: 'utf8' });
    expect(stdout).toBe(`${file}: ${verdict}: ${reason}\n`);
  },
);
