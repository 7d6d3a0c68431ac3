/** Look-ups that are kept: for how long, and what they share. */
import t from 'tap';
import { KeptLookUps } from '../../src/front/authentication/kept-look-ups.ts';

function scene(ageMsMax: number) {
  const now = { version: 1, ms: 0 };
  const asked: ((found: string | undefined) => void)[] = [];
  const failed: ((error: Error) => void)[] = [];
  const lookUps = new KeptLookUps<string>({
    find: () =>
      new Promise((resolve, reject) => {
        asked.push(resolve);
        failed.push(reject);
      }),
    version: () => now.version,
    ageMsMax,
    nowMs: () => now.ms,
  });
  return { now, asked, failed, get: (name = 'a') => lookUps.get('ns', name) };
}

t.test('what was found is known at once, until something of the type changes', async (t) => {
  const { now, asked, get } = scene(0);
  const first = get();
  const second = get();
  asked[0]?.('A');
  t.same(await Promise.all([first, second]), ['A', 'A']);
  t.equal(asked.length, 1, 'who comes meanwhile waits for the same answer');
  t.equal(get(), 'A');
  now.version = 2;
  const third = get();
  asked[1]?.(undefined);
  t.equal(await third, undefined);
  t.equal(get(), undefined, 'that there is nothing is known too');
  t.equal(asked.length, 2);
});

t.test('an answer that is older than a change is not kept for it', async (t) => {
  const { now, asked, get } = scene(0);
  const before = get();
  now.version = 2;
  const after = get();
  asked[1]?.('new');
  asked[0]?.('old');
  t.same(await Promise.all([before, after]), ['old', 'new']);
  t.equal(get(), 'new');
});

t.test('for a moment it may be older', async (t) => {
  const { now, asked, get } = scene(1_000);
  const first = get();
  asked[0]?.('A');
  await first;
  now.version = 2;
  now.ms = 999;
  t.equal(get(), 'A');
  now.ms = 1_000;
  const second = get();
  t.equal(asked.length, 2);
  asked[1]?.('B');
  t.equal(await second, 'B');
});

t.test('what fails is asked again', async (t) => {
  const { failed, asked, get } = scene(1_000);
  const first = get();
  failed[0]?.(new Error('busy'));
  await t.rejects(async () => first, { message: 'busy' });
  const second = get();
  asked[1]?.('A');
  t.equal(await second, 'A');
  void get('b');
  t.equal(asked.length, 3, 'another object is another look-up');
});
