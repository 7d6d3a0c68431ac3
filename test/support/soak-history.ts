/** A run of the soak and the events of its watches, without any server. */
import { Findings, VIOLATION_KINDS } from '../../tools/soak/findings.ts';
import type { ViolationKind } from '../../tools/soak/findings.ts';
import { Ledger } from '../../tools/soak/ledger.ts';
import { Plan } from '../../tools/soak/plan.ts';
import { soakResource } from '../../tools/soak/resource-types.ts';
import type { ResourceName } from '../../tools/soak/resource-types.ts';
import { Scope } from '../../tools/soak/scope.ts';
import type { WatchKind } from '../../tools/soak/scope.ts';
import { readEvent } from '../../tools/soak/stream-event.ts';
import { WriteLog } from '../../tools/soak/write-log.ts';

export const OBJECTS = 12;
export const WRITERS = 3;
const ROUNDS = 240;

export interface Line {
  readonly text: string;
  readonly slot: number;
  readonly seq: number;
  readonly type: string;
  readonly writer: number;
}

/** Gives the events of a watch of this kind from the beginning on, and what was written. */
export function history(kind: WatchKind, resource: ResourceName = 'configmaps') {
  const plan = new Plan({
    runId: 'abc',
    seed: 7,
    objects: OBJECTS,
    namespaces: 2,
    payloadBytes: 30,
    deleteShare: 0.2,
    resource: soakResource(resource, 'cluster.io'),
  });
  const log = new WriteLog(OBJECTS);
  const scope = new Scope(plan, kind, 0);
  const lines: Line[] = [];
  const bodies: string[] = [];
  const writerSeqs = [0, 0, 0];
  for (let write = 1; write <= ROUNDS; write += 1) {
    const slot = (write * 7) % OBJECTS;
    const seq = (log.stored[slot] ?? 0) + 1;
    const writer = slot % WRITERS;
    writerSeqs[writer] = (writerSeqs[writer] ?? 0) + 1;
    log.send(slot, seq);
    log.answer(slot, seq, write);
    const before = bodies[slot] ?? '';
    if (plan.operation(slot, seq) !== 'delete') {
      const marker = { slot, seq, writer, writerSeq: writerSeqs[writer] };
      bodies[slot] = plan.body(marker, 'x');
    }
    const type = scope.indexOf(slot) < 0 ? undefined : scope.eventOf(slot, seq);
    if (type === undefined) continue;
    const object = JSON.parse((type === 'DELETED' ? before : bodies[slot]) ?? '');
    object.metadata.resourceVersion = `v${write}`;
    lines.push({ text: JSON.stringify({ type, object }), slot, seq, type, writer });
  }
  return { plan, log, scope, lines };
}

export type History = ReturnType<typeof history>;

/** A watch that starts before the first write. */
export function watch({ scope, log }: Pick<History, 'scope' | 'log'>) {
  const findings = new Findings(() => 1);
  const ledger = new Ledger('watch 0', scope, WRITERS, log, findings);
  const feed = (...texts: string[]): void => {
    for (const text of texts) {
      const event = readEvent(text, scope);
      if (event.kind !== 'change') throw new Error(`${event.kind}: ${text}`);
      ledger.take(event);
    }
  };
  return { findings, ledger, feed };
}

export function counts(
  expected: Partial<Record<ViolationKind, number>>,
): Record<ViolationKind, number> {
  const none = Object.fromEntries(VIOLATION_KINDS.map((kind) => [kind, 0]));
  return { ...none, ...expected } as Record<ViolationKind, number>;
}

export function texts(lines: readonly Line[]): string[] {
  return lines.map(({ text }) => text);
}
