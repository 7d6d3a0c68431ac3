/** How a request goes from stage to stage. */
import t from 'tap';
import type { RequestContext } from '../../../src/front/request-context.ts';
import { runStages } from '../../../src/front/stages/stage.ts';
import type { Stage, StageTools } from '../../../src/front/stages/stage.ts';

t.test('a request that has waited is served as things are then', async (t) => {
  const seen: string[] = [];
  const request = {
    exchange: { open: true },
    hold: () => seen.push('held'),
    letGo: () => seen.push('let go'),
  } as unknown as RequestContext;
  let tools = { isFinishing: false } as StageTools;
  let goOn = (): void => undefined;
  const waits: Stage = () => new Promise((resolve) => (goOn = resolve));
  const tells: Stage = (_, { isFinishing }) => void seen.push(isFinishing ? 'finishing' : 'on');
  const stages = [tells, waits, tells].map((run) => ({ name: 'any', run, times: undefined }));
  const over = runStages(stages, request, () => tools);
  t.same(seen, ['on', 'held']);
  tools = { ...tools, isFinishing: true };
  goOn();
  await over;
  t.same(seen, ['on', 'held', 'finishing', 'let go']);
});
