/**
 * The controller over in-process ports, with a shard of definitions and types that the test has.
 */
import t from 'tap';
import type { Test } from 'tap';
import { Link } from '../../src/actors/link.ts';
import type { Handlers } from '../../src/actors/link.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../../src/controllers/controller-protocol.ts';
import type {
  ControllerCalls,
  ControllerEvents,
} from '../../src/controllers/controller-protocol.ts';
import { DefinitionController } from '../../src/controllers/definitions/definition-controller.ts';
import { TYPE_VERBS, TYPES_PORT } from '../../src/controllers/definitions/type-protocol.ts';
import type { TypeCalls } from '../../src/controllers/definitions/type-protocol.ts';
import { DEFINITIONS_AT_ONCE } from '../../src/limits.ts';
import { staleVersion } from '../../src/semantics/errors/status.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../../src/protocol/shard-protocol.ts';
import type { ObjectReply, ShardCalls, ShardEvents } from '../../src/protocol/shard-protocol.ts';
import { customDefinition, type CustomDefinition } from '../support/custom-types.ts';
import { newGate, turns } from '../support/gate.ts';
import { MemoryPort } from '../support/memory-port.ts';

const DEFINITIONS = { group: 'apiextensions.cluster.io', resource: 'customresourcedefinitions' };

type ShardLink = Link<ShardEvents, ShardCalls>;
type TypesHandlers = Pick<Handlers<TypeCalls>, 'typesServed'> & Partial<Handlers<TypeCalls>>;

function event(type: string, object: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}

/** A controller with a shard and types that answer so; it ends with the test. */
function startController(
  t: Test,
  ofShard: (shard: () => ShardLink) => Pick<Handlers<ShardCalls>, 'watch' | 'update'>,
  ofTypes: TypesHandlers,
  logError: (text: string) => void = (text) => t.fail(text),
): ShardLink {
  const [shardsNear, shardsFar] = MemoryPort.pair();
  const shard: ShardLink = new Link<ShardEvents, ShardCalls>({
    peer: 'controller',
    port: shardsNear,
    sends: SHARD_EVENTS,
    receives: SHARD_VERBS,
    handlers: ofShard(() => shard) as Handlers<ShardCalls>,
  });
  const [typePortsNear, typePortsFar] = MemoryPort.pair();
  const types = new Link<Record<never, never>, TypeCalls>({
    peer: 'controller',
    port: typePortsNear,
    sends: [],
    receives: TYPE_VERBS,
    handlers: {
      typeGone: (_request, _body, answer) => answer.reply(undefined),
      emptyType: (_request, _body, answer) => answer.reply({ remaining: 0, problems: [] }),
      definitionsRead: (_request, _body, answer) => answer.reply(undefined),
      ...ofTypes,
    },
  });
  const [controlsNear, controlsFar] = MemoryPort.pair();
  const control = new Link<ControllerCalls, ControllerEvents>({
    peer: 'controller',
    port: controlsNear,
    sends: CONTROLLER_VERBS,
    receives: CONTROLLER_EVENTS,
    handlers: { started: () => undefined },
  });
  const ports = {
    control: controlsFar,
    [TYPES_PORT]: typePortsFar,
    'shard:customresourcedefinitions.apiextensions.cluster.io': shardsFar,
  };
  const options = { builtInNames: () => undefined, nowMs: () => 0, logError };
  const ended = new DefinitionController(ports, options).run();
  t.teardown(async () => {
    await control.call('stop', undefined);
    await ended;
    for (const link of [shard, types, control]) link.close();
  });
  return shard;
}

function widgets(scope: string, generation: number): CustomDefinition {
  const definition = customDefinition('example.com', 'Widget', undefined, { scope });
  return { ...definition, metadata: { ...definition.metadata, uid: 'u', generation } };
}

t.test('a type whose scope changes before it is said to be established begins anew', async (t) => {
  const seen: string[] = [];
  const changed = newGate();
  const ofShard = (shard: () => ShardLink): Pick<Handlers<ShardCalls>, 'watch' | 'update'> => ({
    watch: (_request, _body, answer) =>
      answer.reply({ rv: 1, channel: 1 }, event('ADDED', widgets('Cluster', 1))),
    // The first comes too late: the definition has been changed meanwhile.
    update: (_request, body, answer) => {
      const written = JSON.parse(Buffer.from(body).toString());
      const { scope } = written.spec;
      seen.push(`say ${scope}`);
      if (scope === 'Namespaced') {
        answer.reply({ code: 200 } as ObjectReply);
        // As it is stored: with the same names, in the order of the schema.
        const { plural, ...names } = written.status.acceptedNames;
        const acceptedNames = { ...names, plural };
        const status = { ...written.status, acceptedNames };
        const stored = { ...written, status };
        shard().tell('published', { channels: [1], rv: 3 }, event('MODIFIED', stored));
        const metadata = { ...written.metadata, generation: 3 };
        const next = event('MODIFIED', { ...stored, metadata });
        // Later, so that both are looked at.
        setTimeout(() => shard().tell('published', { channels: [1], rv: 4 }, next), 50);
      } else {
        answer.fail(staleVersion(DEFINITIONS, 'widgets.example.com'));
        const change = event('MODIFIED', widgets('Namespaced', 2));
        shard().tell('published', { channels: [1], rv: 2 }, change);
      }
    },
  });
  startController(t, ofShard, {
    typesServed: (types, _body, answer) => {
      for (const { facts, isNew } of types) {
        const { scope, generation } = facts.definition;
        seen.push(isNew ? `came ${scope}` : `changed to generation ${generation}`);
        if (generation === 3) changed.open();
      }
      answer.reply([]);
    },
    typeGone: ({ uid }, _body, answer) => {
      seen.push(`gone ${uid}`);
      answer.reply(undefined);
    },
  });
  await changed.promise;
  t.same(seen, [
    'came Cluster',
    'say Cluster',
    'gone u',
    'came Namespaced',
    'say Namespaced',
    // Not when its own status came back.
    'changed to generation 3',
  ]);
});

t.test('those that wait are served together, and one that cannot be does not count', async (t) => {
  const count = DEFINITIONS_AT_ONCE + 2;
  const all = Array.from({ length: count }, (_, index) => {
    const definition = customDefinition('example.com', `Thing${index}`);
    return { ...definition, metadata: { ...definition.metadata, uid: `u${index}` } };
  });
  const told: string[] = [];
  const problems: string[] = [];
  const served: number[] = [];
  const gates = [newGate(), newGate()];
  const ofShard = (): Pick<Handlers<ShardCalls>, 'watch' | 'update'> => ({
    watch: (_request, _body, answer) =>
      answer.reply(
        { rv: 1, channel: 1 },
        Buffer.concat(all.map((object) => event('ADDED', object))),
      ),
    update: ({ name }, _body, answer) => {
      told.push(name);
      answer.reply({ code: 200 } as ObjectReply);
    },
  });
  startController(
    t,
    ofShard,
    {
      typesServed: (types, _body, answer) => {
        served.push(types.length);
        const [first] = types;
        const { name = '' } = first?.facts.definition ?? {};
        const unserved = served.length === 1 ? [{ name, why: 'the disk is full' }] : [];
        void gates[served.length - 1]?.promise.then(() => answer.reply(unserved));
      },
    },
    (text) => problems.push(text),
  );
  while (served.length === 0) await turns(1);
  t.same(served, [DEFINITIONS_AT_ONCE]);
  t.same(told, [], 'none is said to be established before it is served');
  gates[0]?.open();
  while (served.length === 1) await turns(1);
  t.same(served, [DEFINITIONS_AT_ONCE, 2]);
  t.equal(told.length, DEFINITIONS_AT_ONCE - 1);
  t.notOk(told.includes('thing0s.example.com'));
  t.same(problems, ['the definition thing0s.example.com: the disk is full']);
  gates[1]?.open();
  while (told.length < count - 1) await turns(1);
});
