/** A list as a table that is kept as the server has it, by one watch. */
import { useEffect, useState } from 'preact/hooks';
import { pathOfObject, pathOfType, type ApiType } from './types.ts';
import type { ApiObject, Table, TableRow, WatchEvent } from './documents.ts';
import type { Server } from './server.ts';

/** Rows beyond these come when they are asked for. */
const PAGE_ROWS = 500;
/** Changes within this are asked for together. */
const GATHER_MS = 250;
/** More changed objects than these are listed anew, which is cheaper. */
const SINGLE_ROWS_MAX = 20;
/** Before it watches again, when a watch has ended. */
const RETRY_MS = 1_000;
/** Before it lists again what it was refused. */
const REFUSED_MS = 5_000;

export interface ListOptions {
  readonly type: ApiType;
  /** '' for all. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

export interface LiveTable {
  readonly columns: Table['columnDefinitions'];
  readonly rows: readonly TableRow[];
  /** How many the server has beyond these; undefined where it does not say. */
  readonly more: number | undefined;
  readonly isLive: boolean;
  readonly error?: Error | undefined;
}

const NO_TABLE: LiveTable = { columns: [], rows: [], more: 0, isLive: false };

/** Lists `rowsMax` rows, and follows them as long as the view is there. */
export function useLiveTable(server: Server, options: ListOptions, rowsMax: number): LiveTable {
  const [table, setTable] = useState<LiveTable>(NO_TABLE);
  const { type, namespace, labelSelector, fieldSelector } = options;
  useEffect(() => {
    setTable(NO_TABLE);
    const list = new FollowedList(server, options, rowsMax, setTable);
    list.start();
    return () => list.stop();
  }, [server, type.id, namespace, labelSelector, fieldSelector, rowsMax]);
  return table;
}

/** `namespace/name`. */
export function rowKey({ metadata = {} }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

class FollowedList {
  readonly #server: Server;
  readonly #options: ListOptions;
  readonly #rowsMax: number;
  readonly #show: (table: LiveTable) => void;
  #table = NO_TABLE;
  #changed = new Map<string, ApiObject>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #endWatch: (() => void) | undefined;
  #isOver = false;

  constructor(
    server: Server,
    options: ListOptions,
    rowsMax: number,
    show: (table: LiveTable) => void,
  ) {
    this.#server = server;
    this.#options = options;
    this.#rowsMax = rowsMax;
    this.#show = show;
  }

  start(): void {
    this.#list().then(
      (version) => {
        if (!this.#isOver) this.#follow(version);
      },
      (error: Error) => {
        this.#update({ error });
        this.#startLater(REFUSED_MS);
      },
    );
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#endWatch?.();
  }

  #startLater(ms: number): void {
    if (!this.#isOver) this.#timer = setTimeout(() => this.start(), ms);
  }

  #update(changes: Partial<LiveTable>): void {
    this.#table = { ...this.#table, ...changes };
    if (!this.#isOver) this.#show(this.#table);
  }

  #query(more: Readonly<Record<string, string>>): string {
    const { type, namespace, labelSelector, fieldSelector } = this.#options;
    const given = Object.entries({ labelSelector, fieldSelector, ...more });
    const query = new URLSearchParams(given.filter(([, value]) => value !== ''));
    return `${pathOfType(type, namespace)}?${query}`;
  }

  /** Resolves with the version of the list. */
  async #list(): Promise<string> {
    const rows: TableRow[] = [];
    let next = '';
    let version = '';
    let columns: Table['columnDefinitions'] = [];
    let more: number | undefined = 0;
    do {
      const limit = String(Math.min(PAGE_ROWS, this.#rowsMax - rows.length));
      const page = await this.#server.table(this.#query({ limit, continue: next }));
      for (const row of page.rows) rows.push(row);
      columns = page.columnDefinitions;
      next = page.metadata?.continue ?? '';
      version = page.metadata?.resourceVersion ?? '';
      more = next === '' ? 0 : page.metadata?.remainingItemCount;
    } while (next !== '' && rows.length < this.#rowsMax && !this.#isOver);
    this.#update({ columns, rows, more, error: undefined });
    return version;
  }

  #follow(resourceVersion: string): void {
    if (!this.#options.type.verbs.includes('watch')) return;
    const path = this.#query({ watch: 'true', resourceVersion });
    this.#endWatch = this.#server.watch(
      path,
      (event) => this.#happened(event),
      () => {
        this.#update({ isLive: false });
        this.#startLater(RETRY_MS);
      },
    );
    this.#update({ isLive: true });
  }

  #happened({ type, object }: WatchEvent): void {
    if (type === 'BOOKMARK' || type === 'ERROR') return;
    const key = rowKey(object);
    if (type === 'DELETED') {
      this.#changed.delete(key);
      this.#update({ rows: this.#table.rows.filter((row) => rowKey(row.object) !== key) });
      return;
    }
    if (this.#changed.size === 0) this.#timer = setTimeout(() => void this.#renew(), GATHER_MS);
    this.#changed.set(key, object);
  }

  /** A WebSocket of a browser brings objects alone: their rows are asked for. */
  async #renew(): Promise<void> {
    const changed = [...this.#changed.values()];
    this.#changed = new Map();
    try {
      if (changed.length > SINGLE_ROWS_MAX) await this.#list();
      else for (const object of changed) await this.#renewRow(object);
    } catch (error) {
      this.#update({ error: error as Error });
    }
  }

  async #renewRow(object: ApiObject): Promise<void> {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const [row] = (await this.#server.table(pathOfObject(this.#options.type, namespace, name)))
      .rows;
    if (row === undefined) return;
    const key = rowKey(object);
    const rows = this.#table.rows.filter((other) => rowKey(other.object) !== key);
    const after = rows.findIndex((other) => rowKey(other.object) > key);
    this.#update({ rows: rows.toSpliced(after < 0 ? rows.length : after, 0, row) });
  }
}
