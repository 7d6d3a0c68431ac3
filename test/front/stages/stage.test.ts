/** How a request goes from stage to stage. */
import t from 'tap';
import type { RequestContext } from '../../../src/front/request-context.ts';
import { runStages } from '../../../src/front/stages/stage.ts';
import type { Stage, StageTools } from '../../../src/front/stages/stage.ts';
import { turns } from '../../support/gate.ts';

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
  runStages({ stages, toolsNow: () => tools, refuse: unexpected }, request);
  t.same(seen, ['on', 'held']);
  tools = { ...tools, isFinishing: true };
  goOn();
  await turns();
  t.same(seen, ['on', 'held', 'finishing', 'let go']);
});

t.test('what comes later is served within the turn in which it comes', (t) => {
  const seen: string[] = [];
  const request = {
    exchange: { open: true },
    hold: () => t.fail('it was held'),
    letGo: () => seen.push('let go'),
  } as unknown as RequestContext;
  let goOn = (): void => undefined;
  const waits: Stage = () => ({ whenDone: (then) => (goOn = then) });
  const tells: Stage = () => void seen.push('served');
  const stages = [waits, tells].map((run) => ({ name: 'any', run, times: undefined }));
  runStages({ stages, toolsNow: () => ({}) as StageTools, refuse: unexpected }, request);
  t.same(seen, []);
  goOn();
  t.same(seen, ['served', 'let go']);
  t.end();
});

t.test('what a stage throws refuses the request, at once or later', async (t) => {
  const refused: string[] = [];
  const refuse = (_: RequestContext, error: unknown): void =>
    void refused.push((error as Error).message);
  const exchange = { open: true };
  const request = { exchange, hold: () => undefined } as unknown as RequestContext;
  const throws: Stage = () => {
    throw new Error('at once');
  };
  const rejects: Stage = async () => {
    throw new Error('later');
  };
  const waits: Stage = async () => undefined;
  for (const runs of [[throws], [rejects], [waits, throws]]) {
    const stages = runs.map((run) => ({ name: 'any', run, times: undefined }));
    runStages({ stages, toolsNow: () => ({}) as StageTools, refuse }, request);
    await turns();
  }
  t.same(refused, ['at once', 'later', 'at once']);
});

function unexpected(_: RequestContext, error: unknown): void {
  throw error;
}
