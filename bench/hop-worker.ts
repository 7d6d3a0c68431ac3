/** The far side of the hop benchmark: answers each message with its own bytes. */
import { workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../src/actors/link.ts';
import { ECHO_VERBS, NO_VERBS } from './hop-protocol.ts';
import type { EchoCalls, NoCalls } from './hop-protocol.ts';

const { linkPort, singlePort } = workerData as { linkPort: MessagePort; singlePort: MessagePort };

new Link<NoCalls, EchoCalls>({
  peer: 'benchmark',
  port: linkPort,
  sends: NO_VERBS,
  receives: ECHO_VERBS,
  handlers: { echo: (_header, body, answer) => answer.reply({ code: 200 }, body) },
});

singlePort.on('message', (message: unknown) => singlePort.postMessage(message));
