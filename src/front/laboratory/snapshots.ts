/** The endpoints of snapshots (src/laboratory/README.md#snapshots). */
import { Members } from '../../laboratory/members.ts';
import type { SnapshotRequest } from '../../protocol/snapshot-protocol.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import type { LabCall, LabRoute } from './lab-api.ts';

const OK = 200;
const CREATED = 201;
const PORT_MAX = 65_535;

/** `ask` asks the main thread, and rejects with StatusError. */
export function snapshotRoutes(
  ask: (request: SnapshotRequest) => Promise<object>,
): readonly LabRoute[] {
  const route = (
    method: LabRoute['method'],
    path: string,
    requestOf: (call: LabCall) => SnapshotRequest,
    code = OK,
  ): LabRoute => ({
    method,
    path,
    answer: async (call) => ({ code, body: await ask(requestOf(call)) }),
  });
  return [
    route('post', 'snapshots', ({ body }) => ({ ask: 'create', name: nameIn(body) }), CREATED),
    route('get', 'snapshots', () => ({ ask: 'list' })),
    route('get', 'snapshots/NAME', (call) => ({ ask: 'get', name: nameOf(call) })),
    route('delete', 'snapshots/NAME', (call) => ({ ask: 'delete', name: nameOf(call) })),
    route('post', 'snapshots/NAME/restore', (call) => ({
      ask: 'restore',
      name: nameOf(call),
      dryRun: isDryRun(call),
    })),
    route(
      'post',
      'snapshots/NAME/fork',
      (call) => ({ ask: 'fork', name: nameOf(call), port: portIn(call.body) }),
      CREATED,
    ),
    route('get', 'forks', () => ({ ask: 'forks' })),
    route('delete', 'forks/NAME', (call) => ({ ask: 'endFork', name: nameOf(call) })),
    route('get', 'diff', ({ query }) => {
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

/** 0 for a free one. */
function portIn(body: unknown): number {
  const members = new Members(body ?? {}, '', ['port']);
  const port = members.count('port') ?? 0;
  if (port <= PORT_MAX) return port;
  throw members.wrong('port', `a port up to ${PORT_MAX}`);
}

function isDryRun({ query }: LabCall): boolean {
  const given = query.text('dryRun');
  if (given !== '' && given !== 'All') throw badRequest('dryRun must be "All"');
  return given === 'All';
}
