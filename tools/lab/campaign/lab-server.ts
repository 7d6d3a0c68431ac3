/** The laboratory of the server on which a campaign runs. */
import { existsSync } from 'node:fs';
import type { Api } from '../../backup/api.ts';
import { ToolError } from '../../backup/tool-error.ts';
import { readRecording, type Played } from '../recorded.ts';
import type { TypeRef } from './traffic.ts';

const PATH = '/shardplane/lab/v1/';
/** The name of all that a campaign adds. */
const NAME = 'campaign';

/** An event of a type as it is there, whatever the controller sees. */
export interface PresentEvent {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
}

interface EventLine {
  readonly type: string;
  readonly object: {
    readonly metadata?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly resourceVersion?: string;
    };
  };
}

const RETRY_MS = 200;

export class LabServer {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Removes what an earlier campaign has left, and goes back to the snapshot. */
  async reset(snapshot: string): Promise<void> {
    for (const kind of ['faults', 'views', 'recordings']) {
      const { items } = await this.#ask<{ items: { name: string }[] }>('GET', kind);
      if (items.some(({ name }) => name === NAME)) await this.remove(kind);
    }
    await this.#ask('POST', `snapshots/${snapshot}/restore`);
  }

  /** Begins the recording; answers its file, which must be of this machine. */
  async record(): Promise<string> {
    await this.#api.request('DELETE', `${PATH}recordings/${NAME}`);
    const { file } = await this.#ask<{ file: string }>('POST', 'recordings', {
      name: NAME,
      maskSecrets: true,
    });
    if (!existsSync(file)) {
      await this.remove('recordings');
      throw new ToolError(`${file} is of another machine: run the campaign beside the server`);
    }
    return file;
  }

  async recorded(file: string): Promise<readonly Played[]> {
    await this.#ask('POST', `recordings/${NAME}/stop`, {});
    const recording = await readRecording(file);
    await this.remove('recordings');
    return recording;
  }

  async addFault(rule: object): Promise<void> {
    await this.#ask('POST', 'faults', { name: NAME, ...rule });
  }

  /** How often the fault has acted, and how much it holds. */
  async fault(): Promise<{ readonly acted: number; readonly held: number }> {
    return this.#ask('GET', `faults/${NAME}`);
  }

  /** Answers the version at which it begins. */
  async addView(rule: object): Promise<number> {
    const { version } = await this.#ask<{ version: number }>('POST', 'views', {
      name: NAME,
      reads: 'cached',
      ...rule,
    });
    return version;
  }

  async moveView(to: number): Promise<void> {
    await this.#ask('POST', `views/${NAME}/advance`, { to });
  }

  /** What the campaign has added of `faults`, `views` or `recordings`, if it is there. */
  async remove(kind: string): Promise<void> {
    await this.#api.request('DELETE', `${PATH}${kind}/${NAME}`);
  }

  async newestVersion(): Promise<number> {
    const list = await this.#api.json<{ metadata: { resourceVersion: string } }>(
      'GET',
      '/api/v1/namespaces?limit=1',
    );
    return Number(list.metadata.resourceVersion);
  }

  /** Tells each event of the type after a version, in order, until it is aborted. */
  async follow(
    { group, version, resource }: TypeRef,
    after: number,
    signal: AbortSignal,
    onEvent: (event: PresentEvent) => void,
  ): Promise<void> {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    let last = after;
    while (!signal.aborted) {
      // A type may come only with the run, and a watch may end.
      const query = `watch=true&resourceVersion=${last}`;
      await this.#api.lines(`${path}/${resource}?${query}`, signal, (line) => {
        const event = eventOf(line);
        if (event === undefined || event.version <= last) return;
        last = event.version;
        onEvent(event);
      });
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#api.json<T>(method, `${PATH}${path}`, body);
  }
}

function eventOf(line: string): PresentEvent | undefined {
  if (line.trim() === '') return undefined;
  // A refusal is no event, and has no object.
  const { type = '', object } = JSON.parse(line) as Partial<EventLine>;
  const { name = '', namespace = '', resourceVersion = '' } = object?.metadata ?? {};
  if (name === '' || type === 'BOOKMARK') return undefined;
  return { type, namespace, name, version: Number(resourceVersion) };
}
