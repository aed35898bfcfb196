import { makeMember } from '../../helpers/world.ts';
import { proofStage } from '../../proof/stage.ts';
import type { consoleStage } from './stage.ts';
import { PASSWORD, startSession, visitor } from './visitor.ts';

/** A center with an administrator at the screen. */
export async function decisionDesk(stage: ReturnType<typeof consoleStage>) {
  const center = await proofStage(stage.running);
  const admin = await makeMember(stage.running.app, center.center.id, 'ADMIN', {
    name: 'Ada Lovelace',
    password: PASSWORD,
  });
  const desk = await visitor(stage.browser, stage.running);
  await startSession(desk.page, admin.actor.email!);
  const path = `/c/${center.center.centerDomain}`;
  const ask = (description: string, change: object = {}) =>
    center.post('/agents/decide', {
      agent: { id: 'planner', name: 'Planning agent' },
      action: {
        type: 'plan.adjust',
        description,
        input: { sessions: 2, goal: 'walk' },
        output: { sessions: 3, goal: 'walk' },
      },
      aiContext: { model: 'm', confidence: 0.8, reasoning: 'Progress slowed down.' },
      riskScore: 0.9,
      ...change,
    });
  return { ...desk, center, admin, path, ask };
}
