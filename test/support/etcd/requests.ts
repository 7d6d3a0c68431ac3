/** Requests of tests, whose keys and values are texts. */
import { prefixEnd } from '../../../src/etcd/keys.ts';
import type { EtcdClient, KeyValue, Keys, Operation } from '../../../src/etcd/etcd.ts';

export function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}

export function put(key: string, value: string): Operation {
  return { put: { key: bytesOf(key), value: bytesOf(value) } };
}

/** Deletes one key, or all that begin with `prefix*`. */
export function remove(key: string): Operation {
  return { delete: { ...keysOf(key), prevKv: true } };
}

/** One key, or all that begin with `prefix*`. */
export function keysOf(text: string): Keys {
  if (!text.endsWith('*')) return { key: bytesOf(text) };
  const key = bytesOf(text.slice(0, -1));
  return { key, rangeEnd: prefixEnd(key) };
}

/** Does all at once. Gives its revision. */
export async function write(client: EtcdClient, ...success: Operation[]): Promise<number> {
  return (await client.txn({ success })).revision;
}

/** Such as `a=1 created 2 changed 3 times 2`. */
export function lineOf({ key, value, createRevision, modRevision, version }: KeyValue): string {
  const what = `${Buffer.from(key).toString()}=${Buffer.from(value).toString()}`;
  return `${what} created ${createRevision} changed ${modRevision} times ${version}`;
}
