/** Lists of one collection in one form, read whole or in pages, and counted. */
import { HttpConnection } from './http-connection.ts';
import type {
  ReadFormJob,
  ReadFormPagesJob,
  ReadFormPagesResult,
  ReadFormResult,
} from './load-protocol.ts';
import { continueTokenOf, countItems } from './representation-items.ts';
import { listRequest, pageRequest } from './requests.ts';

/** So much later the processor times that are asked for at the beginning are read. */
const SETTLE_MS = 20;

interface Phase {
  readonly onMeasuring: () => void;
  readonly onMeasured: () => void;
}

/** Rejects when the connection breaks, or a list is refused or not what the first one was. */
export async function readForm(job: ReadFormJob, phase: Phase): Promise<ReadFormResult> {
  const { form = 'JSON', warmUps, lists } = job;
  const request = listRequest(job);
  const milliseconds: number[] = [];
  let asked = 0;
  let items: number | undefined;
  let sentAt = 0;
  let lastByteAt = 0;
  return new Promise((resolve, reject) => {
    const send = (): void => {
      asked += 1;
      sentAt = performance.now();
      connection.send(request);
    };
    const ask = (): void => {
      if (asked !== warmUps) return send();
      phase.onMeasuring();
      setTimeout(send, SETTLE_MS);
    };
    const onBody = (): void => {
      lastByteAt = performance.now();
    };
    const take = (status: number, body: Buffer): void => {
      if (status !== 200) throw new Error(`a list was answered ${status}: ${body.toString()}`);
      if (asked > warmUps) milliseconds.push(lastByteAt - sentAt);
      const isLast = asked === warmUps + lists;
      if (isLast) phase.onMeasured();
      const count = countItems(form, body);
      if (count !== (items ??= count)) throw new Error(`${count} items instead of ${items}`);
      if (!isLast) return ask();
      connection.close();
      resolve({ milliseconds, items, bodyBytes: body.length });
    };
    const onAnswer = taking(take, (error) => {
      connection.close();
      reject(error);
    });
    const options = { endpoint: job, keepBody: true, onBody, onAnswer, onError: reject };
    const connection = new HttpConnection(options, ask);
  });
}

/** Reads one list page after page. Rejects when the connection breaks or a page is refused. */
export async function readFormPages(
  job: ReadFormPagesJob,
  phase: Phase,
): Promise<ReadFormPagesResult> {
  const { form = 'JSON', limit } = job;
  const milliseconds: number[] = [];
  let items = 0;
  let bodyBytes = 0;
  let sentAt = 0;
  let lastByteAt = 0;
  return new Promise((resolve, reject) => {
    const ask = (token: string): void => {
      const request = pageRequest(job, limit, token);
      sentAt = performance.now();
      connection.send(request);
    };
    const onConnect = (): void => {
      phase.onMeasuring();
      setTimeout(ask, SETTLE_MS, '');
    };
    const onBody = (): void => {
      lastByteAt = performance.now();
    };
    const take = (status: number, body: Buffer): void => {
      if (status !== 200) throw new Error(`a page was answered ${status}: ${body.toString()}`);
      milliseconds.push(lastByteAt - sentAt);
      items += countItems(form, body);
      bodyBytes += body.length;
      const token = continueTokenOf(form, body);
      if (token !== '') return ask(token);
      phase.onMeasured();
      connection.close();
      resolve({ milliseconds, items, bodyBytes });
    };
    const onAnswer = taking(take, (error) => {
      connection.close();
      reject(error);
    });
    const options = { endpoint: job, keepBody: true, onBody, onAnswer, onError: reject };
    const connection = new HttpConnection(options, onConnect);
  });
}

type OnAnswer = (status: number, bytes: number, body: Buffer | undefined) => void;

/** Takes an answer; `fail` gets what is wrong with it. */
function taking(
  take: (status: number, body: Buffer) => void,
  fail: (error: Error) => void,
): OnAnswer {
  return (status, _bytes, body) => {
    try {
      take(status, body ?? Buffer.alloc(0));
    } catch (error) {
      fail(error as Error);
    }
  };
}
