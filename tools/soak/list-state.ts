/** Checks a consistent list against what had been answered before it was asked for. */
import type { ApiClient } from './api-client.ts';
import type { Findings } from './findings.ts';
import type { ApiObject } from './plan.ts';
import type { Scope } from './scope.ts';
import type { WriteLog } from './write-log.ts';

const PAGE_LIMIT = 500;

export interface ListState {
  readonly version: string;
  /** By index in the scope: the write that the listed object is of, 0 when it is not listed. */
  readonly seqs: Uint32Array;
  /** The last writes that were stored before the list was asked for, sent before it was here. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** By writer: its last write among the listed. */
  readonly writerSeqs: Float64Array;
}

type Requests = Pick<ApiClient, 'request'>;

interface Page {
  readonly metadata?: { readonly resourceVersion?: unknown; readonly continue?: unknown };
  readonly items?: readonly ApiObject[] | null;
}

/** The server's answer to a list, or to one of its pages, was not 200. */
export class ListError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Lists a scope in pages, at the newest version. What is wrong with it is added to the findings.
 * Rejects with `ListError`, or with the error of the connection.
 */
export async function readList(
  client: Requests,
  scope: Scope,
  writers: number,
  log: WriteLog,
  findings: Findings,
): Promise<ListState> {
  const slots = Array.from({ length: scope.count }, (_, index) => scope.slotAt(index));
  const list = {
    version: '',
    seqs: new Uint32Array(scope.count),
    lows: Uint32Array.from(slots, (slot) => log.stored[slot] ?? 0),
    highs: new Uint32Array(scope.count),
    writerSeqs: new Float64Array(writers),
  };
  const name = `list ${scope.path}?${scope.query}`;
  for (let from = ''; ;) {
    const continued = from === '' ? '' : `&continue=${encodeURIComponent(from)}`;
    const path = `${scope.path}?${scope.query}&limit=${PAGE_LIMIT}${continued}`;
    const { status, text } = await client.request('GET', path);
    if (status !== 200) throw new ListError(status, `${name} answered ${status}: ${text}`);
    const page = JSON.parse(text) as Page;
    const version = String(page.metadata?.resourceVersion);
    if (list.version !== '' && version !== list.version) {
      const versions = `${version} after ${list.version}`;
      findings.add('staleList', name, () => `its pages have different versions: ${versions}`);
    }
    list.version = version;
    for (const item of page.items ?? []) takeItem(item, list, scope, log, findings, name);
    from = typeof page.metadata?.continue === 'string' ? page.metadata.continue : '';
    if (from === '') break;
  }
  slots.forEach((slot, index) => (list.highs[index] = log.sent[slot] ?? 0));
  return list;
}

function takeItem(
  item: ApiObject,
  list: ListState,
  scope: Scope,
  log: WriteLog,
  findings: Findings,
  name: string,
): void {
  const marker = scope.plan.markerOf(item);
  if (marker === undefined || log.isAbandoned(marker.slot)) return;
  const { slot, seq, writer, writerSeq } = marker;
  const index = scope.indexOf(slot);
  const add = (kind: 'wrongContent' | 'staleList' | 'duplicate', detail: string): void =>
    findings.add(kind, name, () => `${scope.plan.nameOf(slot)} ${detail}`);
  const problem = scope.plan.contentProblem(item, marker);
  if (problem !== '') add('wrongContent', problem);
  else if (index < 0 || !scope.matches(slot, seq)) add('wrongContent', 'does not match the list');
  if (index < 0) return;
  if (list.seqs[index] !== 0) add('duplicate', 'is listed twice');
  const low = list.lows[index] ?? 0;
  if (seq < low) add('staleList', `is of write ${seq}, and ${low} had been answered before`);
  list.seqs[index] = seq;
  list.writerSeqs[writer] = Math.max(writerSeq, list.writerSeqs[writer] ?? 0);
}
