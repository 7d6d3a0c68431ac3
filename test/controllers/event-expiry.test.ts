/** The controller over in-process ports, with a shard that answers when the test wants. */
import { mock } from 'node:test';
import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import type { Answer } from '../../src/actors/link.ts';
import { CONTROLLER_EVENTS, CONTROLLER_VERBS } from '../../src/controllers/controller-protocol.ts';
import type {
  ControllerCalls,
  ControllerEvents,
} from '../../src/controllers/controller-protocol.ts';
import { EventExpiry } from '../../src/controllers/events/event-expiry.ts';
import { CONTROL_PORT, shardPort } from '../../src/controllers/run-controller.ts';
import { EXPIRY_INTERVAL_MS } from '../../src/limits.ts';
import { EXPIRY_VERBS } from '../../src/protocol/upkeep-protocol.ts';
import type { ExpiryCalls, NoEvents } from '../../src/protocol/upkeep-protocol.ts';
import { turns } from '../support/gate.ts';
import { MemoryPort } from '../support/memory-port.ts';

mock.timers.enable({ apis: ['setInterval'] });

t.test('it asks again and again, never twice at a time, and goes on after failures', async (t) => {
  const asked: number[] = [];
  const open: Answer<{ expired: number }>[] = [];
  const logged: string[] = [];
  const [shardNear, shardFar] = MemoryPort.pair();
  const link = new Link<NoEvents, ExpiryCalls>({
    peer: 'controller',
    port: shardNear,
    sends: [],
    receives: EXPIRY_VERBS,
    handlers: {
      expire: ({ writtenUntilMs }, _body, answer) => {
        asked.push(writtenUntilMs);
        open.push(answer);
      },
    },
  });
  const [mainNear, mainFar] = MemoryPort.pair();
  const control = new Link<ControllerCalls, ControllerEvents>({
    peer: 'controller',
    port: mainNear,
    sends: CONTROLLER_VERBS,
    receives: CONTROLLER_EVENTS,
    handlers: { started: () => undefined },
  });
  let nowMs = 10_000;
  const expiry = new EventExpiry(
    { [shardPort('events')]: shardFar, [CONTROL_PORT]: mainFar },
    { eventTtlMs: 3_000, nowMs: () => nowMs, logError: (text) => void logged.push(text) },
  );
  const ended = expiry.run();
  const tick = async (): Promise<void> => {
    mock.timers.tick(EXPIRY_INTERVAL_MS);
    await turns(5);
  };
  await tick();
  t.same(asked, [7_000]);
  await tick();
  t.same(asked, [7_000], 'the first is not answered yet');
  open.shift()?.fail(new Error('no space left'));
  await turns(5);
  t.match(logged, [/no space left/]);
  nowMs = 20_000;
  await tick();
  t.same(asked, [7_000, 17_000]);
  open.shift()?.reply({ expired: 2 });
  await turns(5);
  await control.call('stop', undefined);
  await ended;
  await tick();
  t.same(asked, [7_000, 17_000], 'nothing after it was told to stop');
  control.close();
  link.close();
});
