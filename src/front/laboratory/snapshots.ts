/** The endpoints of snapshots (src/laboratory/README.md#snapshots). */
import { Members } from '../../laboratory/members.ts';
import { FORK, SNAPSHOT } from '../../laboratory/schemas.ts';
import type { SnapshotRequest } from '../../protocol/snapshot-protocol.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import type { LabCall, LabRoute } from './lab-api.ts';
import type { RestoreGate } from './restore-gate.ts';

const OK = 200;
const CREATED = 201;
const PORT_MAX = 65_535;
/** Each is a server, with the memory of one. */
const FORKS_AHEAD_MAX = 10;

const RESTORE = {
  method: 'post',
  path: 'snapshots/NAME/restore',
  says: 'Writes the state of a snapshot forward.',
  asks: { dryRun: 'All: only tells what would change.' },
} as const;
const START_FORK = {
  method: 'post',
  path: 'snapshots/NAME/fork',
  says: 'Starts a server that begins with a snapshot.',
  takes: FORK,
} as const;
const DIFF = {
  method: 'get',
  path: 'diff',
  says: 'Tells what is not the same at two snapshots or versions.',
  asks: { from: 'A snapshot or a version.', to: 'Another one; absent is now.' },
} as const;

/** `ask` asks the main thread, and rejects with StatusError. */
export function snapshotRoutes(
  ask: (request: SnapshotRequest) => Promise<object>,
  gate: RestoreGate,
): readonly LabRoute[] {
  const route = (
    how: Omit<LabRoute, 'answer'>,
    requestOf: (call: LabCall) => SnapshotRequest,
    code = OK,
  ): LabRoute => ({
    ...how,
    answer: async (call) => ({ code, body: await ask(requestOf(call)) }),
  });
  return [
    route(
      { method: 'post', path: 'snapshots', says: 'Keeps a moment of all types.', takes: SNAPSHOT },
      ({ body }) => ({ ask: 'create', name: nameIn(body) }),
      CREATED,
    ),
    route({ method: 'get', path: 'snapshots', says: 'Tells of all snapshots.' }, () => ({
      ask: 'list',
    })),
    route({ method: 'get', path: 'snapshots/NAME', says: 'Tells of a snapshot.' }, (call) => ({
      ask: 'get',
      name: nameOf(call),
    })),
    route({ method: 'delete', path: 'snapshots/NAME', says: 'Keeps it no more.' }, (call) => ({
      ask: 'delete',
      name: nameOf(call),
    })),
    {
      ...RESTORE,
      answer: async (call) => {
        const request = { ask: 'restore', name: nameOf(call), dryRun: isDryRun(call) } as const;
        const work = (): Promise<object> => ask(request);
        return { code: OK, body: await (request.dryRun ? work() : gate.closedFor(work)) };
      },
    },
    route(
      START_FORK,
      (call) => ({ ask: 'fork', name: nameOf(call), ...forkIn(call.body) }),
      CREATED,
    ),
    route({ method: 'get', path: 'forks', says: 'Tells of all forks.' }, () => ({ ask: 'forks' })),
    route({ method: 'delete', path: 'forks/NAME', says: 'Ends a fork.' }, (call) => ({
      ask: 'endFork',
      name: nameOf(call),
    })),
    route(DIFF, ({ query }) => {
      if (query.text('from') === '') throw badRequest('from is required: a snapshot or a version');
      return { ask: 'diff', from: query.text('from'), to: query.text('to') };
    }),
  ];
}

function nameOf({ names }: LabCall): string {
  return names[0] ?? '';
}

function nameIn(body: unknown): string {
  return new Members(body ?? {}, '', ['name']).name();
}

/** Port 0 for a free one. */
function forkIn(body: unknown): { readonly port: number; readonly ahead: number | undefined } {
  const members = new Members(body ?? {}, '', ['port', 'ahead']);
  const port = members.count('port') ?? 0;
  if (port > PORT_MAX) throw members.wrong('port', `a port up to ${PORT_MAX}`);
  const ahead = members.count('ahead');
  if ((ahead ?? 0) <= FORKS_AHEAD_MAX) return { port, ahead };
  throw members.wrong('ahead', `a number up to ${FORKS_AHEAD_MAX}`);
}

function isDryRun({ query }: LabCall): boolean {
  const given = query.text('dryRun');
  if (given !== '' && given !== 'All') throw badRequest('dryRun must be "All"');
  return given === 'All';
}
