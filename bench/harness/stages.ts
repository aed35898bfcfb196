import type { Scenario, Survey } from './scenario.ts';
import { openStage, type Stage } from './stage.ts';

/** Opens a separate stage for each scenario, except that adjacent scenarios may share one. */
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
      // Programs of the last scenario must not run during the next one.
      await open.stage.endPrograms();
      return open.stage;
    },
    close,
  };
}
