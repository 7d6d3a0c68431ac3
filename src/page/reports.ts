/** Panels that ask for documents of their own. */
import { shortNumber, timeOfDay } from './format.ts';
import { html, type View } from './html.ts';
import { sumBy, type Labels, type Reading } from './metrics.ts';
import { Panel, Rows } from './parts.ts';
import { usePolled } from './polled.ts';
import { RequestError, type Server } from './server.ts';

const POLL_MS = 5_000;
const SHOWN_MAX = 100;
const NOT_FOUND = 404;

interface OfServer {
  readonly server: Server;
}

/** What a refusal says where a panel stays empty. */
function none(error: Error | undefined, otherwise: string): string {
  return error === undefined ? otherwise : error.message;
}

interface SlowRequests {
  readonly thresholdMs: number;
  readonly items: readonly {
    readonly ts: number;
    readonly method: string;
    readonly path: string;
    readonly user: string;
    readonly code: number;
    readonly ms: number;
    readonly stages: Readonly<Record<string, number>>;
  }[];
}

export function SlowRequestsPanel({ server }: OfServer): View {
  const ask = () => server.json<SlowRequests>('/shardplane/slow-requests');
  const { value, error } = usePolled(ask, POLL_MS, [server]);
  const rows = (value?.items ?? []).map(({ ts, method, path, user, code, ms, stages }) => [
    timeOfDay(ts),
    `${ms} ms`,
    `${method} ${path}`,
    String(code),
    user,
    Object.entries(stages)
      .map(([stage, stageMs]) => `${stage} ${stageMs}`)
      .join(', '),
  ]);
  const title = value ? `Slow requests (over ${value.thresholdMs} ms)` : 'Slow requests';
  const head = ['', 'took', 'request', 'code', 'user', 'stages (ms)'];
  return html`<${Panel} title=${title} isWide=${true}>
    <${Rows} head=${head} rows=${rows} none=${none(error, 'none yet')} />
  <//>`;
}

interface EventList {
  readonly items: readonly {
    readonly type?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly lastTimestamp?: string | null;
    readonly eventTime?: string | null;
    readonly metadata: { readonly creationTimestamp?: string; readonly namespace?: string };
    readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  }[];
}

export function EventsPanel({ server }: OfServer): View {
  const ask = () => server.json<EventList>('/api/v1/events?limit=500');
  const { value, error } = usePolled(ask, POLL_MS, [server]);
  const rows = (value?.items ?? [])
    .map((event) => ({
      ...event,
      at: event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '',
    }))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, SHOWN_MAX)
    .map(({ at, type = '', reason = '', message = '', metadata, involvedObject = {} }) => [
      timeOfDay(at),
      type,
      reason,
      `${metadata.namespace ?? ''}/${involvedObject.kind ?? ''}/${involvedObject.name ?? ''}`,
      message,
    ]);
  return html`<${Panel} title="Events" isWide=${true}>
    <${Rows}
      head=${['', 'type', 'reason', 'object', 'message']}
      rows=${rows}
      none=${none(error, 'none')}
    />
  <//>`;
}

interface AuditEvents {
  readonly items: readonly {
    readonly stage?: string;
    readonly stageTimestamp?: string;
    readonly verb?: string;
    readonly requestURI?: string;
    readonly user?: { readonly username?: string };
    readonly responseStatus?: { readonly code?: number };
  }[];
}

export function AuditPanel({ server }: OfServer): View {
  const ask = () => server.json<AuditEvents>('/shardplane/audit-events');
  const { value, error } = usePolled(ask, POLL_MS, [server]);
  const rows = (value?.items ?? [])
    .toReversed()
    .map(({ stageTimestamp, stage = '', verb = '', requestURI = '', user, responseStatus }) => [
      timeOfDay(stageTimestamp),
      user?.username ?? '',
      verb,
      requestURI,
      String(responseStatus?.code ?? ''),
      stage,
    ]);
  return html`<${Panel} title="Audit log" isWide=${true}>
    <${Rows}
      head=${['', 'user', 'verb', 'request', 'code', 'stage']}
      rows=${rows}
      none=${none(error, 'nothing yet')}
    />
  <//>`;
}

interface Servers {
  readonly items: readonly {
    readonly id: string;
    readonly address: string;
    readonly role: string;
    readonly self: boolean;
    readonly revision?: number;
  }[];
}

export function ServersPanel({ server }: OfServer): View {
  const ask = () => server.json<Servers>('/shardplane/servers');
  const { value, error } = usePolled(ask, POLL_MS, [server]);
  const isAlone = error instanceof RequestError && error.code === NOT_FOUND;
  const rows = (value?.items ?? []).map(({ id, address, role, self, revision }) => [
    id,
    address,
    role,
    self ? 'this one' : '',
    String(revision ?? ''),
  ]);
  return html`<${Panel} title="Servers">
    <${Rows}
      head=${['', 'address', 'role', '', 'revision']}
      rows=${rows}
      none=${isAlone ? 'this one alone: its store is local' : none(error, 'none')}
    />
  <//>`;
}

const byLevel = ({ priority_level: level, priorityLevel }: Labels): string | undefined =>
  level ?? priorityLevel;

/** The queues of requests by priority level; nothing where the server has none. */
export function FlowsPanel({
  server,
  reading,
}: OfServer & { readonly reading: Reading | undefined }): View {
  const isThere = reading?.samples.has('apiserver_flowcontrol_current_executing_requests') === true;
  const ask = () =>
    isThere
      ? server.text('/debug/api_priority_and_fairness/dump_priority_levels')
      : Promise.resolve('');
  const { value } = usePolled(ask, POLL_MS, [server, isThere]);
  if (reading === undefined || !isThere) return null;
  const running = sumBy(reading, 'apiserver_flowcontrol_current_executing_requests', byLevel);
  const waiting = sumBy(reading, 'apiserver_flowcontrol_current_inqueue_requests', byLevel);
  const refused = sumBy(reading, 'apiserver_flowcontrol_rejected_requests_total', byLevel);
  const served = sumBy(reading, 'apiserver_flowcontrol_dispatched_requests_total', byLevel);
  const names = new Set([...running.keys(), ...waiting.keys(), ...served.keys()]);
  const rows = [...names]
    .sort()
    .map((name) => [
      name,
      shortNumber(running.get(name) ?? 0),
      shortNumber(waiting.get(name) ?? 0),
      shortNumber(served.get(name) ?? 0),
      shortNumber(refused.get(name) ?? 0),
    ]);
  return html`<${Panel} title="Flows and queues">
    <${Rows} head=${['', 'running', 'waiting', 'served', 'refused']} rows=${rows} />
    ${value !== undefined && value !== '' && html`<pre>${value.trim()}</pre>`}
  <//>`;
}
