/** Which creates a front proposes itself, and how it asks the shard then. */
import t from 'tap';
import { MailboxFullError, type Callback } from '../../src/actors/link.ts';
import {
  PROPOSED_BODY_BYTES_MAX,
  PROPOSED_IN_TURN_MAX,
  SHARD_REQUESTS_MIN,
} from '../../src/front/limits.ts';
import { ProposedCreates } from '../../src/front/proposed-creates.ts';
import type { Proposer } from '../../src/proposals/proposer.ts';
import {
  ASK_WITH_BODY,
  type ObjectReply,
  type WriteRequest,
} from '../../src/protocol/shard-protocol.ts';
import { badRequest, type StatusError } from '../../src/semantics/errors/status.ts';

const REQUEST: WriteRequest = {
  namespace: 'ns',
  name: '',
  subresource: '',
  format: 'json',
  dryRun: false,
  manager: 'test',
};
const RECORD = Buffer.from('a record');

type Asked = readonly [verb: string, header: object, body: Uint8Array, Callback<ObjectReply>];

/** A front's way to a shard, and a proposer that does as it is told. */
class Front {
  readonly asked: Asked[] = [];
  readonly settled: boolean[] = [];
  others = SHARD_REQUESTS_MIN;
  isFull = false;
  may = true;
  refusal: StatusError | undefined;
  loads = 0;
  counted = 0;
  readonly creates: ProposedCreates;

  constructor() {
    const pendingCount = (): number => this.others + this.asked.length;
    this.creates = new ProposedCreates({
      link: {
        ask: (...asked: unknown[]) => {
          if (this.isFull) throw new MailboxFullError('full');
          this.asked.push(asked as unknown as Asked);
        },
        flush: () => undefined,
        get pendingCount() {
          return pendingCount();
        },
      },
      load: async () => {
        this.loads++;
        return this.#proposer;
      },
      onProposed: () => this.counted++,
      logError: (text) => {
        throw new Error(text);
      },
    });
  }

  get #proposer(): Proposer {
    const propose: Proposer['propose'] = (_request, _body, done) => {
      if (this.refusal !== undefined) return done(this.refusal, undefined);
      done(undefined, {
        draft: { record: RECORD, versionAt: 3, uid: 'u' },
        saidWith: (said) => ({ ...said, warnings: ['admitted'] }),
        settle: (isMade) => this.settled.push(isMade),
      });
    };
    return { mayPropose: () => this.may, propose } as Partial<Proposer> as Proposer;
  }

  /** Gives what the client is told, once it is told something; undefined where it is not taken. */
  take(request: Partial<WriteRequest> = {}, body: Uint8Array = Buffer.from('{}')) {
    const told: { error?: Error | undefined; reply?: ObjectReply } = {};
    const isTaken = this.creates.take({ ...REQUEST, ...request }, body, (error, reply) => {
      Object.assign(told, { error, reply });
    });
    return isTaken ? told : undefined;
  }

  answer(code: number, at = 0): void {
    this.asked[at]?.[3](undefined, { code }, new Uint8Array(0), false);
  }
}

/** The first create is sent as it is: it has what proposes others be loaded. */
async function loaded(): Promise<Front> {
  const front = new Front();
  front.take();
  await new Promise(setImmediate);
  return front;
}

t.test('what it needs is loaded once, when a shard is busy', async (t) => {
  const front = new Front();
  front.others = SHARD_REQUESTS_MIN - 1;
  t.notOk(front.take());
  t.equal(front.loads, 0, 'the shard has little to do');
  front.others = SHARD_REQUESTS_MIN;
  t.notOk(front.take());
  t.notOk(front.take());
  t.equal(front.loads, 1);
  await new Promise(setImmediate);
  t.ok(front.take());
  t.equal(front.counted, 1);
});

t.test('the shard gets what it alone is to decide about, or what takes long', async (t) => {
  const front = await loaded();
  const long = new Uint8Array(PROPOSED_BODY_BYTES_MAX + 1);
  t.notOk(front.take({ dryRun: true }));
  t.notOk(front.take({ format: 'yaml' }));
  t.notOk(front.take({ subresource: 'binding' }));
  t.notOk(front.take({}, long));
  front.may = false;
  t.notOk(front.take());
  t.same(front.asked, []);
});

t.test('drafts do not count as work of the shard', async (t) => {
  const front = await loaded();
  front.take();
  t.equal(front.asked.length, 1);
  front.others = SHARD_REQUESTS_MIN - 1;
  t.notOk(front.take(), 'the shard has one less to do, and a draft');
  front.answer(201);
  front.others = SHARD_REQUESTS_MIN;
  t.ok(front.take());
});

t.test('so many in one turn', async (t) => {
  const front = await loaded();
  for (let count = 0; count < PROPOSED_IN_TURN_MAX; count++) t.ok(front.take());
  t.notOk(front.take());
  await new Promise(setImmediate);
  t.ok(front.take());
});

t.test('the answer has what was said of the proposal', async (t) => {
  const front = await loaded();
  const told = front.take({ version: 1, form: { encoding: 'protobuf' } });
  const [verb, header, body] = front.asked[0] ?? [];
  t.equal(verb, 'createProposed');
  const form = { encoding: 'protobuf' };
  t.same(header, { namespace: 'ns', name: '', version: 1, form, versionAt: 3, uid: 'u' });
  t.equal(body, RECORD);
  front.answer(201);
  t.same(told, { error: undefined, reply: { code: 201, warnings: ['admitted'] } });
  t.same(front.settled, [true]);
});

t.test('a refusal, by those who are asked here or by the shard', async (t) => {
  const front = await loaded();
  front.refusal = badRequest('no');
  t.equal(front.take()?.error, front.refusal);
  front.refusal = undefined;
  const told = front.take();
  const conflict = badRequest('it is there');
  front.asked[0]?.[3](conflict, { code: 0 }, new Uint8Array(0), false);
  t.equal(told?.error, conflict);
  t.same(conflict.said.warnings, ['admitted']);
  t.same(front.settled, [false]);
});

t.test('the shard may ask for the body, whatever became of the bytes that came', async (t) => {
  const front = await loaded();
  const bytes = Buffer.from('{"a":1}');
  const told = front.take({}, bytes);
  bytes.fill(0);
  front.answer(ASK_WITH_BODY);
  t.same(front.settled, [false]);
  const [verb, header, body] = front.asked[1] ?? [];
  t.equal(verb, 'create');
  t.same(header, REQUEST);
  t.equal(Buffer.from(body ?? []).toString(), '{"a":1}');
  front.answer(201, 1);
  t.same(told, { error: undefined, reply: { code: 201 } });
});

t.test('a mailbox that is full', async (t) => {
  const front = await loaded();
  front.isFull = true;
  t.ok(front.take()?.error instanceof MailboxFullError);
  t.same(front.settled, [false]);
  front.isFull = false;
  const told = front.take();
  front.isFull = true;
  front.answer(ASK_WITH_BODY);
  t.ok(told?.error instanceof MailboxFullError);
});
