/** Recordings of what clients ask and get (src/laboratory/README.md#recordings). */
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LabRequest } from '../../laboratory/lab-request.ts';
import { Members } from '../../laboratory/members.ts';
import {
  contentOf,
  holdsSecrets,
  masked,
  RECORDING,
  RECORDING_VERSION,
  type Content,
  type RecordedLine,
  type RecordedRequest,
} from '../../laboratory/recording.ts';
import { RECORDING_BEGUN } from '../../laboratory/schemas.ts';
import type { RequestContext } from '../request-context.ts';
import { made, missing, shown, taken } from './lab-api.ts';
import type { LabAnswer, LabCall, LabRoute } from './lab-api.ts';
import { RecordingResponse } from './recording-response.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Headers of answers that say nothing of the request. */
const LEFT_OUT: ReadonlySet<string> = new Set(['date', 'audit-id', 'cache-control']);

export interface RecordingsOptions {
  readonly dataDir: string;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

type Line = RecordedLine extends infer L ? (L extends RecordedLine ? Omit<L, 'ms'> : never) : never;

class Recording {
  readonly name: string;
  readonly file: string;
  readonly masksSecrets: boolean;
  readonly #began: string;
  readonly #startMs = performance.now();
  readonly #logError: (text: string) => void;
  /** Undefined when it was stopped, or cannot be written any more. */
  #descriptor: number | undefined;
  #requests = 0;

  constructor(
    { dataDir, nowMs, logError }: RecordingsOptions,
    name: string,
    masksSecrets: boolean,
  ) {
    this.name = name;
    this.masksSecrets = masksSecrets;
    this.file = fileOf(dataDir, name);
    this.#logError = logError;
    mkdirSync(dirname(this.file), { recursive: true, mode: FOLDER_MODE });
    this.#began = new Date(nowMs()).toISOString();
    this.#descriptor = openSync(this.file, 'wx', FILE_MODE);
    this.#write({ [RECORDING]: RECORDING_VERSION, name, began: this.#began, masksSecrets });
  }

  get shown(): object {
    const { name, file, masksSecrets } = this;
    return { name, file, began: this.#began, masksSecrets, requests: this.#requests };
  }

  /** The number of the next request. */
  next(): number {
    return ++this.#requests;
  }

  add(line: Line): void {
    const ms = Math.round((performance.now() - this.#startMs) * 1_000) / 1_000;
    this.#write({ ...line, ms });
  }

  #write(line: object): void {
    if (this.#descriptor === undefined) return;
    try {
      // At once: a killed server leaves what there was, and nothing waits in memory.
      writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
    } catch (error) {
      this.#logError(`recording ${this.name} has ended: ${(error as Error).message}`);
      this.stop();
    }
  }

  /** No line is added any more. */
  stop(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #recordings = new Map<string, Recording>();

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  readonly routes: readonly LabRoute[] = [
    {
      method: 'post',
      path: 'recordings',
      says: 'Keeps what clients ask and get from now on.',
      takes: RECORDING_BEGUN,
      answer: (call) => this.#begin(call),
    },
    {
      method: 'get',
      path: 'recordings',
      says: 'Tells of the recordings that go on.',
      answer: () => shown({ items: [...this.#recordings.values()].map(({ shown }) => shown) }),
    },
    {
      method: 'get',
      path: 'recordings/NAME',
      says: 'Tells of a recording.',
      answer: (call) => shown(this.#named(call).shown),
    },
    {
      method: 'post',
      path: 'recordings/NAME/stop',
      says: 'Ends a recording, and tells its file.',
      answer: (call) => this.#stop(call),
    },
    {
      method: 'delete',
      path: 'recordings/NAME',
      says: 'Removes a recording and its file.',
      answer: (call) => this.#remove(call),
    },
  ];

  /** Whether there are any. */
  get isInForce(): boolean {
    return this.#recordings.size > 0;
  }

  /** Has all recordings tell of a request, and of its answer. */
  meet(context: RequestContext, request: LabRequest): void {
    for (const recording of this.#recordings.values()) record(recording, context, request);
  }

  #begin({ body }: LabCall): LabAnswer {
    const members = new Members(body, '', ['name', 'maskSecrets']);
    const name = members.name();
    if (existsSync(fileOf(this.#options.dataDir, name))) {
      throw taken('recording', name);
    }
    const recording = new Recording(this.#options, name, members.flag('maskSecrets'));
    this.#recordings.set(name, recording);
    return made(recording.shown);
  }

  #stop(call: LabCall): LabAnswer {
    const recording = this.#named(call);
    recording.stop();
    this.#recordings.delete(recording.name);
    return shown(recording.shown);
  }

  /** Also one that was stopped. */
  #remove(call: LabCall): LabAnswer {
    const [name = ''] = call.names;
    const file = fileOf(this.#options.dataDir, name);
    if (!/^[a-z0-9.-]+$/.test(name) || !existsSync(file)) throw missing('recording', name);
    this.#recordings.get(name)?.stop();
    this.#recordings.delete(name);
    rmSync(file);
    return shown({ name });
  }

  #named({ names: [name = ''] }: LabCall): Recording {
    const recording = this.#recordings.get(name);
    if (recording !== undefined) return recording;
    throw missing('recording', name);
  }
}

function fileOf(dataDir: string, name: string): string {
  return join(dataDir, 'recordings', `${name}.jsonl`);
}

function record(recording: Recording, context: RequestContext, request: LabRequest): void {
  const { exchange } = context;
  const { head } = exchange;
  const n = recording.next();
  const isSecret = recording.masksSecrets && holdsSecrets(head.url);
  const shown = (bytes: Uint8Array): Content => {
    const content = contentOf(bytes);
    return isSecret ? masked(content) : content;
  };
  let isAsked = false;
  const ask = (body: Uint8Array): void => {
    if (isAsked) return;
    isAsked = true;
    recording.add({ n, request: { ...asked(request), body: shown(body) } });
  };
  const asked = ({ user, groups, userAgent, verb }: LabRequest): Omit<RecordedRequest, 'body'> => ({
    method: head.method.toUpperCase(),
    url: head.url,
    user,
    groups,
    userAgent,
    contentType: head.contentType,
    accept: head.accept,
    verb,
  });
  context.onBody = ask;
  exchange.answerThrough((response) => {
    return new RecordingResponse(response, {
      answer: (code, headers) => {
        ask(new Uint8Array(0));
        const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
        recording.add({ n, answer: { code, headers: Object.fromEntries(kept) } });
      },
      part: (bytes) => recording.add({ n, part: shown(bytes) }),
      end: (end) => recording.add({ n, end }),
    });
  });
}
