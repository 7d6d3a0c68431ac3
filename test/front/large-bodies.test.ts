import t from 'tap';
import { MailboxFullError } from '../../src/actors/link.ts';
import { readYaml } from '../../src/codec/read-yaml.ts';
import type { ReadYaml, YamlJob } from '../../src/codec/read-yaml.ts';
import { LargeBodies } from '../../src/front/large-bodies.ts';
import type { LargeBody } from '../../src/front/large-bodies.ts';
import {
  LARGE_BODIES_BYTES_MAX,
  LARGE_BODY_BYTES,
  LARGE_YAML_BODY_BYTES,
} from '../../src/limits.ts';
import { newGate, turns } from '../support/gate.ts';

const YAML = { strict: true, mayBeJson: false };

function large(body: Uint8Array, reading?: LargeBody['reading'], isWanted = true): LargeBody {
  return { body, reading, isWanted: () => isWanted };
}

function newBodies(atOnce = 1): { bodies: LargeBodies; jobs: YamlJob[] } {
  const jobs: YamlJob[] = [];
  const bodies = new LargeBodies({
    atOnce,
    fronts: 1,
    readYaml: (job) => {
      jobs.push(job);
      return Promise.resolve(readYaml(job));
    },
  });
  return { bodies, jobs };
}

t.test('a body is large by its length, in YAML sooner', (t) => {
  const { bodies } = newBodies();
  t.notOk(bodies.isLarge(Buffer.alloc(LARGE_BODY_BYTES), undefined));
  t.ok(bodies.isLarge(Buffer.alloc(LARGE_BODY_BYTES + 1), undefined));
  t.notOk(bodies.isLarge(Buffer.alloc(LARGE_YAML_BODY_BYTES), YAML));
  t.ok(bodies.isLarge(Buffer.alloc(LARGE_YAML_BODY_BYTES + 1), YAML));
  t.end();
});

t.test('each has its turn when the one before is answered, and is as it came', async (t) => {
  const { bodies } = newBodies();
  const gates = [newGate<void>(), newGate<void>()];
  const passed: string[] = [];
  const chunk = Buffer.from('first');
  const taken = gates.map((gate) => {
    const done = bodies.take(large(chunk), (body) => {
      passed.push(Buffer.from(body).toString());
      return gate.promise;
    });
    // What the library hands over is used again after the turn.
    chunk.write('other');
    return done;
  });
  await turns();
  t.same(passed, ['first']);
  gates[0]?.fail(new Error('refused'));
  await t.rejects(taken[0] ?? Promise.resolve(), { message: 'refused' });
  await turns();
  t.same(passed, ['first', 'other']);
  gates[1]?.open();
  await taken[1];
});

t.test('what waits has a bound', async (t) => {
  const { bodies } = newBodies();
  const gate = newGate<void>();
  const half = Buffer.alloc(LARGE_BODIES_BYTES_MAX / 2 + 1);
  const first = bodies.take(large(half), () => gate.promise);
  const passOn = (): Promise<void> => Promise.resolve();
  await t.rejects(bodies.take(large(half), passOn), MailboxFullError);
  gate.open();
  await first;
  await bodies.take(large(half), passOn);
});

t.test('YAML is read before its turn, JSON only where it may not be that', async (t) => {
  const { bodies, jobs } = newBodies();
  const read = async (text: string, mayBeJson: boolean): Promise<ReadYaml | undefined> => {
    let found: ReadYaml | undefined;
    await bodies.take(
      large(Buffer.from(text), { strict: true, mayBeJson }),
      async (_body, yaml) => {
        found = yaml;
      },
    );
    return found;
  };
  const repeated = { json: '{"a":2}', error: '', problems: ['line 2: key "a" already set in map'] };
  t.same(await read('a: 1\na: 2', true), repeated);
  t.match(await read('a: [', true), { json: '', error: /^yaml: line 1/ });
  t.match(await read('{"a":1}', false), { json: '{"a":1}' });
  t.equal(jobs.length, 3);
  t.equal(await read('{"a":1}', true), undefined);
  t.equal(jobs.length, 3);
});

t.test('YAML whose client is gone is not read', async (t) => {
  const { bodies, jobs } = newBodies();
  await bodies.take(large(Buffer.from('a: 1'), YAML, false), async () => undefined);
  t.same(jobs, []);
});
