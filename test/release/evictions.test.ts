// How evictions go on: what writers of their status may say, in the newest release.
import t from 'tap';
import '../support/newest-release.ts';
import type {
  EvictionStatus,
  ResponderStatus,
  TargetResponder,
} from '#messages/lifecycle.v1alpha1';
import type { Condition } from '#messages/meta.v1';

const { evictionStatusErrors } = await import('../../src/resources/lifecycle/eviction-status.ts');
const { inTurn } = await import('../../src/resources/lifecycle/eviction-responders.ts');
const { texts } = await import('../resources/kind-rules.ts');

const NOW_MS = Date.parse('2024-01-02T03:00:00Z');
const FIRST = 'example.com/first';
const EVICTOR = 'imperative-eviction.cluster.io/evictor';
const TARGETS = 'status.targetResponders';
const RESPONDERS = 'status.responders';

/** A time that many seconds after the writes. */
function at(seconds: number): string {
  return new Date(NOW_MS + 1000 * seconds).toISOString().replace('.000', '');
}

function condition(type: string, status: string, reason: string): Condition {
  return { type, status, reason, message: '', lastTransitionTime: at(0) } as Condition;
}

/** The first responder and the one after it, in these states. */
function targets(first: string, evictor: string): TargetResponder[] {
  return [
    { name: EVICTOR, priority: 100, state: evictor },
    { name: FIRST, priority: 10_000, state: first },
  ];
}

function told(first: ResponderStatus, evictor: ResponderStatus = {}): ResponderStatus[] {
  return [
    { name: EVICTOR, ...evictor },
    { name: FIRST, ...first },
  ];
}

const STARTED = { startTime: at(-60) };
const STORED: EvictionStatus = {
  targetResponders: targets('Active', 'Inactive'),
  responders: told(STARTED),
};

function found(change: EvictionStatus, stored: EvictionStatus = STORED): string[] {
  return texts(evictionStatusErrors({ ...stored, ...change }, stored, NOW_MS));
}

t.test('responders come by their priorities, then by their domains from the top', async (t) => {
  const named = (name: string, priority?: number): TargetResponder => ({
    name,
    ...(priority !== undefined && { priority }),
  });
  const list = [
    named('z/a'),
    named('b.a/y', 1),
    named('a.b/x', 1),
    named('c/x', 2),
    named('a/y', 1),
    named('a/x', 1),
  ];
  t.same(
    inTurn(list).map(({ name }) => name),
    ['c/x', 'a/x', 'a/y', 'b.a/y', 'a.b/x', 'z/a'],
  );
});

t.test('the first one begins', async (t) => {
  const begun = { ...STORED, responders: told({ startTime: at(0) }) };
  t.same(found(begun, {}), []);
  t.same(found({ ...begun, targetResponders: targets('Inactive', 'Inactive') }, {}), [
    `${TARGETS}[1].state: Invalid value: "Inactive": must be one of: Active, because this ` +
      'responder is next in line',
  ]);
  t.same(found({ targetResponders: targets('Active', 'Inactive') }, {}), [
    `${TARGETS}[1]: Invalid value: {"Name":"${FIRST}","Priority":10000,"State":"Active"}: ` +
      `"${FIRST}" has to be tracked in ${RESPONDERS} first`,
    `${TARGETS}[0]: Invalid value: {"Name":"${EVICTOR}","Priority":100,"State":"Inactive"}: ` +
      `"${EVICTOR}" has to be tracked in ${RESPONDERS} first`,
    `${RESPONDERS}: Invalid value: null: must be the same length as status.targetResponders ` +
      'and contain the same keys',
  ]);
  const [evictor, first] = targets('Active', 'Inactive');
  const priorities = [
    { ...evictor, priority: 99 },
    { ...first, priority: 999 },
  ];
  t.same(found({ ...begun, targetResponders: priorities }, {}), [
    `${TARGETS}[1].priority: Invalid value: 999: priorities 0-999 are reserved for responders ` +
      'with *.k8s.io suffix',
    `${TARGETS}[0].priority: Invalid value: 99: core k8s responder is expected to have ` +
      'priority: 100',
  ]);
});

t.test('the next one begins where the first one is done', async (t) => {
  const next = {
    targetResponders: targets('Completed', 'Active'),
    responders: told({ ...STARTED, completionTime: at(0) }, { startTime: at(0) }),
  };
  t.same(found(next, { ...STORED }), [
    `${RESPONDERS}[1]: Invalid value: {"Name":"${FIRST}","StartTime":"${at(-60)}",` +
      `"HeartbeatTime":null,"ExpectedCompletionTime":null,"CompletionTime":"${at(0)}",` +
      '"Message":null}: field is immutable',
  ]);
  const done = { ...STORED, responders: told({ ...STARTED, completionTime: at(-5) }) };
  const moved = { ...next, responders: told({ ...STARTED, completionTime: at(-5) }, STARTED) };
  t.same(
    found(
      { ...moved, responders: told({ ...STARTED, completionTime: at(-5) }, { startTime: at(0) }) },
      done,
    ),
    [],
  );
  t.same(found({ targetResponders: targets('Completed', 'Inactive') }), [
    `${TARGETS}[1].state: Forbidden: must stay Active because the responder is in progress and ` +
      `it should report ${RESPONDERS}.heartbeatTime or ${RESPONDERS}.completionTime`,
    `${TARGETS}[1].state: Invalid value: "Completed": cannot become Completed because the ` +
      `responder didn't report ${RESPONDERS}.completionTime`,
    `${TARGETS}[0].state: Invalid value: "Inactive": must be one of: Active, because this ` +
      'responder is next in line',
  ]);
});

t.test('or where it told nothing for long', async (t) => {
  const silent = { ...STORED, responders: told({ startTime: at(-1200) }) };
  const next = {
    targetResponders: targets('Interrupted', 'Active'),
    responders: told({ startTime: at(-1200) }, { startTime: at(0) }),
  };
  t.same(found(next, silent), []);
  const heard = { startTime: at(-1200), heartbeatTime: at(-30) };
  t.match(
    found(
      { ...next, responders: told(heard, { startTime: at(0) }) },
      { ...STORED, responders: told(heard) },
    ),
    [/^status\.targetResponders\[1\]\.state: Forbidden: must stay Active/],
  );
});

t.test('the list stays, and only the active one changes what it tells', async (t) => {
  const [evictor] = targets('Active', 'Inactive');
  t.match(found({ targetResponders: [evictor as TargetResponder] }), [
    /^status\.targetResponders: .*: must preserve the same length and the same keys$/,
    /^status\.responders: .*: must be the same length as status\.targetResponders/,
  ]);
  t.match(found({ responders: told(STARTED, { message: 'hello' }) }), [
    /^status\.responders\[0\]: .*: field is immutable$/,
  ]);
  t.same(found({ responders: told({ ...STARTED, message: 'hello' }) }), []);
});

t.test('times are those of the write', async (t) => {
  const times = (members: ResponderStatus): string[] =>
    found({ responders: told({ ...STARTED, ...members }) });
  t.same(
    times({ heartbeatTime: at(29), expectedCompletionTime: at(600), completionTime: at(-29) }),
    [],
  );
  t.same(times({ heartbeatTime: at(31), completionTime: at(-31) }), [
    `${RESPONDERS}[1].heartbeatTime: Invalid value: "${at(31)}": must be set to the present time`,
    `${RESPONDERS}[1].completionTime: Invalid value: "${at(-31)}": must be set to the present time`,
  ]);
  t.same(times({ heartbeatTime: at(-61), expectedCompletionTime: at(-31) }), [
    `${RESPONDERS}[1].heartbeatTime: Invalid value: "${at(-61)}": must occur after ` +
      `${RESPONDERS}[1].startTime`,
    `${RESPONDERS}[1].expectedCompletionTime: Invalid value: "${at(-31)}": cannot be set to the ` +
      'past time',
  ]);
});

t.test('what has ended stays so', async (t) => {
  const ended = {
    targetResponders: targets('Completed', 'Canceled'),
    responders: told({ ...STARTED, completionTime: at(-5) }, STARTED),
    conditions: [condition('Failed', 'True', 'Some')],
  };
  t.same(found({}, ended), []);
  t.match(found({ conditions: [condition('Failed', 'True', 'Other')] }, ended), [
    /^status\.conditions: .*: Failed condition status cannot be reverted$/,
  ]);
  t.same(found({ targetResponders: targets('Completed', 'Inactive') }, ended), [
    `${TARGETS}[0].state: Invalid value: "Inactive": must be one of: Canceled, because final ` +
      'state is immutable',
  ]);
  t.same(found({ conditions: ended.conditions }), [
    `${TARGETS}[1].state: Invalid value: "Active": must be one of: Canceled, Completed, ` +
      'Interrupted, because the eviction request has finished processing',
  ]);
});
