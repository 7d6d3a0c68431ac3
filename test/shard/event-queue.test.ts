// Events that wait for a webhook.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { WAITING_EVENTS_MAX } from '../../src/limits.ts';
import { serverFailure } from '../../src/semantics/errors/status.ts';
import { EventQueue } from '../../src/shard/state/event-queue.ts';
import { ConversionNeeded, type Held } from '../../src/types/conversion.ts';

/** A webhook that answers when the test says so. */
class Webhook {
  readonly answers: ((error?: Error) => void)[] = [];
  released = 0;

  needed(): ConversionNeeded {
    return new ConversionNeeded({ prepare: () => this.#prepare() }, []);
  }

  #prepare(): Promise<Held> {
    return new Promise((resolve, reject) => {
      this.answers.push((error) => {
        if (error === undefined) resolve({ release: () => this.released++ });
        else reject(error);
      });
    });
  }
}

function subject() {
  const seen: string[] = [];
  const queue = new EventQueue();
  const webhook = new Webhook();
  const add = (name: string, isKnown = false, bytes = 1): void =>
    queue.add({
      needed: isKnown ? undefined : webhook.needed(),
      bytes,
      publish: () => void seen.push(name),
      failed: () => void seen.push(`failed ${name}`),
    });
  return { seen, queue, webhook, add };
}

t.test('events are published in their order, whichever is known first', async (t) => {
  const { seen, queue, webhook, add } = subject();
  for (const name of ['a', 'b']) add(name);
  add('c', true);
  t.equal(webhook.answers.length, 2, 'asked for at once');
  webhook.answers[1]?.();
  await turn();
  t.same(seen, []);
  t.notOk(queue.isEmpty);
  webhook.answers[0]?.();
  await turn();
  t.same(seen, ['a', 'b', 'c']);
  t.ok(queue.isEmpty);
  t.equal(webhook.released, 2);
});

t.test('one that fails is told of in its turn', async (t) => {
  const { seen, webhook, add } = subject();
  for (const name of ['a', 'b']) add(name);
  webhook.answers[1]?.(serverFailure('no'));
  webhook.answers[0]?.();
  await turn();
  t.same(seen, ['a', 'failed b']);
});

t.test('what was known and is not any more is asked for again', async (t) => {
  const { seen, queue, webhook } = subject();
  let tries = 0;
  const publish = (): void => {
    if (++tries === 1) throw webhook.needed();
    seen.push('a');
  };
  queue.add({ needed: undefined, bytes: 1, publish, failed: () => undefined });
  await turn();
  t.equal(tries, 1);
  webhook.answers[0]?.();
  await turn();
  t.same(seen, ['a']);
});

t.test('when too much waits, all of it is given up', async (t) => {
  const { seen, queue, webhook, add } = subject();
  for (let at = 0; at < WAITING_EVENTS_MAX; at++) add(`${at}`, at > 0);
  add('one more', true);
  t.equal(seen.length, WAITING_EVENTS_MAX + 1);
  t.equal(seen.at(-1), 'failed one more');
  add('after', true);
  webhook.answers[0]?.();
  await turn();
  await turn();
  t.equal(seen.at(-1), 'after');
  t.equal(webhook.released, 1);
  t.ok(queue.isEmpty);
  add('large', true, 2 ** 30);
  t.equal(seen.at(-1), 'failed large');
});
