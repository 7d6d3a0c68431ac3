/** The controller over in-process ports, with a shard of definitions and types that the test has. */
import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import type { Handlers } from '../../src/actors/link.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../../src/controllers/controller-protocol.ts';
import type {
  ControllerCalls,
  ControllerEvents,
} from '../../src/controllers/controller-protocol.ts';
import {
  DefinitionController,
  TYPES_PORT,
} from '../../src/controllers/definitions/definition-controller.ts';
import { TYPE_VERBS } from '../../src/controllers/definitions/type-protocol.ts';
import type { TypeCalls } from '../../src/controllers/definitions/type-protocol.ts';
import { staleVersion } from '../../src/semantics/status.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../../src/shard/shard-protocol.ts';
import type { ObjectReply, ShardCalls, ShardEvents } from '../../src/shard/shard-protocol.ts';
import { customDefinition } from '../support/custom-types.ts';
import { newGate } from '../support/gate.ts';

const DEFINITIONS = { group: 'apiextensions.cluster.io', resource: 'customresourcedefinitions' };

function eventText(type: string, scope: string, generation: number): Buffer {
  const definition = customDefinition('example.com', 'Widget', undefined, { scope });
  const metadata = { ...definition.metadata, uid: 'u', generation };
  return Buffer.from(`${JSON.stringify({ type, object: { ...definition, metadata } })}\n`);
}

function modified(object: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
}

t.test('a type whose scope changes before it is said to be established begins anew', async (t) => {
  const seen: string[] = [];
  const changed = newGate();
  const shards = new MessageChannel();
  const shard = new Link<ShardEvents, ShardCalls>({
    peer: 'controller',
    port: shards.port1,
    sends: SHARD_EVENTS,
    receives: SHARD_VERBS,
    handlers: {
      watch: (_request, _body, answer) =>
        answer.reply({ rv: 1, channel: 1 }, eventText('ADDED', 'Cluster', 1)),
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
          shard.tell('published', { channels: [1], rv: 3 }, modified(stored));
          const metadata = { ...written.metadata, generation: 3 };
          const next = modified({ ...stored, metadata });
          // Later, so that both are looked at.
          setTimeout(() => shard.tell('published', { channels: [1], rv: 4 }, next), 50);
        } else {
          answer.fail(staleVersion(DEFINITIONS, 'widgets.example.com'));
          const change = eventText('MODIFIED', 'Namespaced', 2);
          shard.tell('published', { channels: [1], rv: 2 }, change);
        }
      },
    } as Partial<Handlers<ShardCalls>> as Handlers<ShardCalls>,
  });
  const typePorts = new MessageChannel();
  const types = new Link<Record<never, never>, TypeCalls>({
    peer: 'controller',
    port: typePorts.port1,
    sends: [],
    receives: TYPE_VERBS,
    handlers: {
      typeCame: ({ definition }, _body, answer) => {
        seen.push(`came ${definition.scope}`);
        answer.reply(undefined);
      },
      typeChanged: ({ definition }, _body, answer) => {
        seen.push(`changed to generation ${definition.generation}`);
        answer.reply(undefined);
        if (definition.generation === 3) changed.open();
      },
      typeGone: ({ uid }, _body, answer) => {
        seen.push(`gone ${uid}`);
        answer.reply(undefined);
      },
      emptyType: (_request, _body, answer) => answer.reply({ remaining: 0, problems: [] }),
      definitionsRead: (_request, _body, answer) => answer.reply(undefined),
    },
  });
  const controls = new MessageChannel();
  const control = new Link<ControllerCalls, ControllerEvents>({
    peer: 'controller',
    port: controls.port1,
    sends: CONTROLLER_VERBS,
    receives: CONTROLLER_EVENTS,
    handlers: { started: () => undefined },
  });
  const ports = {
    control: controls.port2,
    [TYPES_PORT]: typePorts.port2,
    'shard:customresourcedefinitions.apiextensions.cluster.io': shards.port2,
  };
  const ended = new DefinitionController(ports, {
    builtInNames: () => undefined,
    nowMs: () => 0,
    logError: (text) => t.fail(text),
  }).run();
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
  await control.call('stop', undefined);
  await ended;
  for (const link of [shard, types, control]) link.close();
});
