import t from 'tap';
import { StartSteps } from '../../src/front/documents/start-steps.ts';

t.test('a check of each step, which fails until the step is done', async (t) => {
  const steps = new StartSteps(['poststarthook/one', 'two']);
  const outcomes = (): Promise<[string, string][]> =>
    Promise.all(
      steps.checks.map(async ({ name, run }) => {
        const outcome = await run('readyz').then(
          () => 'ok',
          (error: Error) => error.message,
        );
        return [name, outcome] as [string, string];
      }),
    );
  let finish: (value: string) => void = () => undefined;
  const running = steps.run('two', new Promise<string>((resolve) => (finish = resolve)));
  t.same(await outcomes(), [
    ['poststarthook/one', 'not finished'],
    ['two', 'not finished'],
  ]);
  finish('result');
  t.equal(await running, 'result');
  t.same(await outcomes(), [
    ['poststarthook/one', 'not finished'],
    ['two', 'ok'],
  ]);
  await t.rejects(steps.run('poststarthook/one', Promise.reject(new Error('broken'))), /broken/);
  t.match(await outcomes(), [['poststarthook/one', 'not finished']]);
});

t.test('a step that stands for several, of which one is not on all paths', async (t) => {
  const steps = new StartSteps(['read', 'informer-sync'], { 'informer-sync': ['livez'] });
  await steps.run(['read', 'informer-sync'], Promise.resolve());
  for (const { run } of steps.checks) await run('readyz');
  t.same(
    steps.checks.map(({ name, notIn = [] }) => [name, ...notIn]),
    [['read'], ['informer-sync', 'livez']],
  );
});

t.end();
