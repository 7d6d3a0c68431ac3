/** Many watches that are opened at once, and who comes in between. */
import t from 'tap';
import { BoundedTurns } from '../../../src/base/turns/bounded-turns.ts';
import type { RequestContext } from '../../../src/front/request-context.ts';
import type { StageTools } from '../../../src/front/stages/stage.ts';
import { takeTurn } from '../../../src/front/stages/take-turn.ts';

t.test('so many watches go on in a turn, the others later in their order', async (t) => {
  const tools = { watchTurns: new BoundedTurns(2) } as unknown as StageTools;
  const asked: string[] = [];
  const ask = async (name: string, verb = 'watch'): Promise<void> => {
    const waiting = takeTurn({ attributes: { verb } } as RequestContext, tools);
    if (waiting !== undefined) await waiting;
    asked.push(name);
  };
  const waiting = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name));
  waiting.push(ask('get', 'get'));
  t.same(asked, ['a', 'b', 'get']);
  await Promise.all(waiting.slice(0, 4));
  t.same(asked, ['a', 'b', 'get', 'c', 'd']);
  await Promise.all(waiting);
  t.same(asked.at(-1), 'e');
});
