/** The driver of writes, with verbs of its own: what they yield, and what becomes of them. */
import t from 'tap';
import type { Test } from 'tap';
import { AssertionError } from '../../src/base/assert.ts';
import type { ObjectReply } from '../../src/protocol/shard-protocol.ts';
import { InDoubtError } from '../../src/journal/in-doubt-error.ts';
import { conflict, serviceUnavailable } from '../../src/semantics/errors/status.ts';
import { runWrite, type Verb, type WriteFacts } from '../../src/shard/write/driver.ts';
import { removal } from '../../src/shard/write/removal.ts';
import { TURN } from '../../src/proposals/steps.ts';
import { NO_BODY, type Outcome, type Write } from '../../src/shard/write/write.ts';
import { newGate, turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

const KEY = 'default/x';
const DONE: Outcome = { changes: [], reply: { code: 200 }, body: NO_BODY };

async function withObject(log = new HeldLog()): Promise<ShardUnderTest> {
  const subject = new ShardUnderTest({ log });
  await subject.create(configMap('x'));
  return subject;
}

/** Runs a verb; the header of its answer. */
async function made(
  { shard }: ShardUnderTest,
  verb: Verb,
  facts: WriteFacts = {},
): Promise<ObjectReply> {
  const outcome = answered<ObjectReply>((answer) => runWrite(shard, verb, answer, facts));
  shard.pipeline.kick();
  return (await outcome).reply;
}

/** The toy verb of these tests: removes an object, for a reason. */
function removed(write: Write): Outcome {
  const stored = write.latest(KEY);
  if (stored === undefined) return DONE;
  write.admitUnasked('it is a toy');
  return { ...DONE, changes: [removal(write.shard, KEY, stored)] };
}

t.test('a verb that waits for nobody is decided in its turn', async (t) => {
  const subject = await withObject();
  let isDecided = false;
  const facts = { decided: () => (isDecided = true) } as WriteFacts;
  const write = made(
    subject,
    function* remove(write) {
      yield TURN;
      return removed(write);
    },
    facts,
  );
  t.ok(isDecided);
  t.notOk(subject.shard.exists(KEY));
  t.equal((await write).code, 200);
});

t.test('one that waits goes on where it was, if nothing has moved', async (t) => {
  const subject = await withObject();
  const gate = newGate();
  let began = 0;
  const write = made(subject, function* remove(write) {
    began++;
    write.latest(KEY);
    yield gate.promise;
    return removed(write);
  });
  await turns();
  t.ok(subject.shard.exists(KEY), 'others are served meanwhile');
  gate.open();
  await write;
  t.equal(began, 1);
  t.same(subject.keys(), []);
});

t.test('one whose object has moved meanwhile begins again, and sees what is there', async (t) => {
  const subject = await withObject();
  const gate = newGate();
  const seen: (number | undefined)[] = [];
  const write = made(subject, function* look(write) {
    seen.push(write.latest(KEY)?.rv);
    yield gate.promise;
    return DONE;
  });
  await subject.update(configMap('x', { a: 'b' }));
  gate.open();
  await write;
  t.same(seen, [101, 102]);
});

t.test('what it waits for may refuse it', async (t) => {
  const subject = await withObject();
  const gate = newGate();
  const write = refusal(
    made(subject, function* wait() {
      yield gate.promise;
      return DONE;
    }),
  );
  gate.fail(conflict({ group: '', resource: 'toys' }, 'x', 'no'));
  t.match(await write, { code: 409 });
});

t.test('a refusal is told after the commit of what it rests on', async (t) => {
  const log = new HeldLog();
  const subject = await withObject(log);
  log.hold();
  const first = made(subject, function* remove(write) {
    return removed(write);
  });
  let isTold = false;
  const second = refusal(
    made(subject, function* refuse(write) {
      write.restOn(KEY);
      throw conflict({ group: '', resource: 'toys' }, 'x', 'no');
    }),
  ).finally(() => (isTold = true));
  await turns();
  t.notOk(isTold);
  log.release();
  t.equal((await first).code, 200);
  t.match(await second, { code: 409 });
});

t.test('one that rests on a commit that fails fails with it', async (t) => {
  const log = new HeldLog();
  const subject = await withObject(log);
  log.hold();
  const first = refusal(
    made(subject, function* remove(write) {
      return removed(write);
    }),
  );
  const unchanged = refusal(
    made(subject, function* look(write) {
      write.latest(KEY);
      return { ...DONE, isPending: true };
    }),
  );
  log.fail('no space left');
  for (const one of [first, unchanged]) t.match(await one, { code: 500, message: /no space left/ });
});

t.test('what a verb warns of is told, whatever becomes of it', async (t) => {
  const subject = await withObject();
  const reply = await made(subject, function* warn(write) {
    write.warn(['one']);
    return { ...DONE, reply: { code: 200, warnings: ['two'] } };
  });
  t.same(reply.warnings, ['one', 'two']);
});

t.test('a write about which nobody was asked is not staged', async (t) => {
  const subject = await withObject();
  const forgetful: Verb = function* remove(write) {
    const stored = write.latest(KEY);
    return stored === undefined ? DONE : { ...DONE, changes: [removal(write.shard, KEY, stored)] };
  };
  const answer = { reply: () => t.fail('it was answered'), fail: () => t.fail('it was refused') };
  t.throws(() => runWrite(subject.shard, forgetful, answer), AssertionError);
  t.ok(subject.shard.exists(KEY));
});

t.test('an unforeseen error is a 500, and stands in the log', async (t) => {
  const subject = await withObject();
  const write = made(subject, function* fail() {
    throw new Error('a bug');
  });
  t.match(await refusal(write), { code: 500, message: /a bug/ });
  t.match(subject.errors, [/a bug/]);
});

/** Creates an object of which nobody knows whether it was made; what its admission hears. */
async function inDoubt(t: Test, madeUpTo: Promise<number>): Promise<boolean[]> {
  const log = new HeldLog();
  const { shard } = await withObject(log);
  const heard: boolean[] = [];
  log.hold();
  const write = made({ shard } as ShardUnderTest, function* remove(write) {
    const outcome = removed(write);
    const asked = { warn: () => undefined, saidWith: <T>(said: T) => said };
    const settle = (isMade: boolean): number => heard.push(isMade);
    write.admission = { ...asked, whenSettled: () => undefined, settle };
    return outcome;
  });
  log.fail(new InDoubtError(serviceUnavailable('etcd does not answer'), madeUpTo));
  t.match(await refusal(write), { code: 503, message: /etcd does not answer/ });
  return heard;
}

t.test('what is kept for a write in doubt is kept until that is known', async (t) => {
  for (const [newest, isMade] of [
    [102, true],
    [101, false],
  ] as const) {
    let known: (newest: number) => void = () => undefined;
    const heard = await inDoubt(t, new Promise((resolve) => (known = resolve)));
    await turns();
    t.same(heard, [], 'it may be there');
    known(newest);
    await turns();
    t.same(heard, [isMade]);
  }
});
