import type { Scenario, Survey } from './scenario.ts';
import { openStage, type Stage } from './stage.ts';

/** Opens each scenario its own stage, except that neighbours which share one get it handed on. */
export function makeStages() {
  let open: { name: string | undefined; stage: Stage } | undefined;
  const close = async () => {
    await open?.stage.close();
    open = undefined;
  };
  return {
    async stageFor({ stage: name }: Scenario | Survey): Promise<Stage> {
      if (open && (name === undefined || open.name !== name)) await close();
      open ??= { name, stage: await openStage() };
      // What the last scenario started must not run beside the next one.
      await open.stage.endPrograms();
      return open.stage;
    },
    close,
  };
}
