/** Long lists: many whole ones at the same time, or one in pages. */
import { HttpConnection } from './http-connection.ts';
import type {
  ReadListsJob,
  ReadListsResult,
  ReadPagesJob,
  ReadPagesResult,
} from './load-protocol.ts';
import { listRequest, pageRequest } from './requests.ts';

/** Once in each object. */
const ITEM_MARK = Buffer.from('"uid":"');
const SLOW_READ_MS = 10;

interface ListRead {
  readonly seconds: number;
  readonly items: number;
  readonly bodyBytes: number;
}

/** Counts a mark in a body that comes in pieces. */
class MarkCounter {
  count = 0;
  #tail = Buffer.alloc(0);

  add(buffer: Buffer, at: number, end: number): void {
    const margin = ITEM_MARK.length - 1;
    const seam = Buffer.concat([this.#tail, buffer.subarray(at, Math.min(end, at + margin))]);
    if (seam.includes(ITEM_MARK)) this.count += 1;
    const piece = buffer.subarray(at, end);
    for (let found = piece.indexOf(ITEM_MARK); found >= 0;) {
      this.count += 1;
      found = piece.indexOf(ITEM_MARK, found + ITEM_MARK.length);
    }
    const recent = piece.length >= margin ? piece : Buffer.concat([this.#tail, piece]);
    this.#tail = Buffer.from(recent.subarray(Math.max(0, recent.length - margin)));
  }
}

async function readList(job: ReadListsJob): Promise<ListRead> {
  const { bytesPerSecond } = job;
  const counter = new MarkCounter();
  const startedAt = performance.now();
  let read = 0;
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    const readOn = (): void => {
      const due = ((performance.now() - startedAt) / 1_000) * bytesPerSecond;
      if (read > due) timer = setTimeout(readOn, SLOW_READ_MS);
      else connection.resume();
    };
    const onBody = (buffer: Buffer, at: number, end: number): void => {
      counter.add(buffer, at, end);
      read += end - at;
      if (bytesPerSecond === 0) return;
      connection.pause();
      clearTimeout(timer);
      readOn();
    };
    const onAnswer = (status: number, bodyBytes: number): void => {
      clearTimeout(timer);
      connection.close();
      if (status !== 200) reject(new Error(`a list was answered ${status}`));
      const seconds = (performance.now() - startedAt) / 1_000;
      resolve({ seconds, items: counter.count, bodyBytes });
    };
    const options = { endpoint: job, onBody, onAnswer, onError: reject };
    const connection = new HttpConnection(options, () => connection.send(listRequest(job)));
  });
}

/** Rejects when a connection breaks, which is also how the server ends half a list. */
export async function readLists(job: ReadListsJob): Promise<ReadListsResult> {
  const end = performance.now() + job.secondsMin * 1_000;
  const lists: ListRead[] = [];
  const readOn = async (): Promise<void> => {
    do lists.push(await readList(job));
    while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: job.connections }, readOn));
  return {
    seconds: lists.map(({ seconds }) => seconds),
    items: lists.map(({ items }) => items),
    bodyBytes: lists.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
  };
}

interface Page {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** Reads page after page on one connection. Rejects when a page is refused. */
export async function readPages(job: ReadPagesJob): Promise<ReadPagesResult> {
  const milliseconds: number[] = [];
  const names = new Set<string>();
  const versions = new Set<string>();
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    const ask = (token: string): void => {
      sentAt = performance.now();
      connection.send(pageRequest(job, job.limit, token));
    };
    const onAnswer = (status: number, _bytes: number, body: Buffer | undefined): void => {
      const text = body?.toString() ?? '';
      milliseconds.push(performance.now() - sentAt);
      if (status !== 200) reject(new Error(`a page was answered ${status}: ${text}`));
      const { metadata, items } = JSON.parse(text) as Page;
      for (const item of items) names.add(item.metadata.name);
      versions.add(metadata.resourceVersion);
      if (metadata.continue !== undefined && metadata.continue !== '') {
        ask(metadata.continue);
        return;
      }
      connection.close();
      resolve({ milliseconds, items: names.size, versions: versions.size });
    };
    const options = { endpoint: job, keepBody: true, onAnswer, onError: reject };
    const connection = new HttpConnection(options, () => ask(''));
  });
}
