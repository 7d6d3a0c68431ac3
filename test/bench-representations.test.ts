/** The benchmarks of representations can count their work. */
import t from 'tap';
import { eventReader } from '../bench/event-readers.ts';
import type { EventReader } from '../bench/event-readers.ts';
import { continueTokenOf, countItems } from '../bench/representation-items.ts';
import { wrapProtobuf } from '../src/codec/protobuf/protobuf-envelope.ts';
import {
  PROTOBUF_LIST_TAIL,
  protobufListHead,
  protobufListItemHead,
  protobufWatchFrame,
} from '../src/codec/protobuf/protobuf-frames.ts';
import { newWriter, tagOf } from '../src/codec/protobuf/protobuf-item.ts';

const VERSIONS = [7, 8, 12];

/** A ConfigMap that has nothing but a version. */
function configMap(version: number): Uint8Array {
  const writer = newWriter().uint32(tagOf(1, 2)).fork();
  return writer.uint32(tagOf(6, 2)).string(String(version)).ldelim().finish();
}

function protobufEvent(version: number): Uint8Array {
  const type = { apiVersion: 'v1', kind: 'ConfigMap' };
  return protobufWatchFrame('MODIFIED', wrapProtobuf({ ...type, raw: configMap(version) }));
}

function jsonEvent(version: number): Uint8Array {
  const object = { kind: 'ConfigMap', metadata: { resourceVersion: String(version) } };
  return Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
}

function tableEvent(version: number): Uint8Array {
  const metadata = { resourceVersion: String(version) };
  const object = { kind: 'Table', metadata, rows: [{ cells: [], object: { metadata } }] };
  return Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
}

/** A body in chunks of so many bytes. */
function inChunks(body: Uint8Array, size: number): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

function readInPieces(reader: EventReader, body: Buffer, size: number): EventReader {
  for (let at = 0; at < body.length; at += size) {
    reader.read(body, at, Math.min(body.length, at + size));
  }
  return reader;
}

for (const [form, eventOf] of [
  ['JSON', jsonEvent],
  ['Table', tableEvent],
  ['protobuf', protobufEvent],
] as const) {
  t.test(`events in ${form} are counted, in whatever pieces they come`, async (t) => {
    const events = VERSIONS.map(eventOf);
    const whole = Buffer.concat(events);
    for (let piece = 1; piece <= whole.length; piece += 1) {
      const reader = readInPieces(eventReader(form, true), inChunks(whole, whole.length), piece);
      t.match(reader, { events: VERSIONS.length, disorders: 0 }, `in pieces of ${piece} bytes`);
    }
    const twice = inChunks(Buffer.concat([...events, ...events]), 2 * whole.length);
    t.match(readInPieces(eventReader(form, true), twice, 50), { events: 6, disorders: 1 });
    t.match(readInPieces(eventReader(form, false), twice, 50), { events: 6, disorders: 0 });
  });
}

t.test('a frame may come in several chunks', async (t) => {
  const whole = Buffer.concat(VERSIONS.map(protobufEvent));
  for (let size = 1; size <= whole.length; size += 1) {
    const reader = readInPieces(eventReader('protobuf', true), inChunks(whole, size), 9);
    t.match(reader, { events: VERSIONS.length, disorders: 0 }, `in chunks of ${size} bytes`);
  }
});

t.test('bytes that are no frames are refused', async (t) => {
  for (const bytes of [Buffer.from(' '.repeat(5)), jsonEvent(1), Buffer.alloc(5)]) {
    t.throws(() => eventReader('protobuf', false).read(inChunks(bytes, 99), 0, 99), /no event/);
  }
});

t.test('items are counted, and a body in another form is refused', async (t) => {
  const message = configMap(5);
  const item = Buffer.concat([protobufListItemHead(message.length), message]);
  const meta = { rv: 9, continueToken: '', remaining: 0 };
  const head = protobufListHead({ apiVersion: 'v1', kind: 'ConfigMapList' }, meta, 2 * item.length);
  t.equal(countItems('protobuf', Buffer.concat([head, item, item, PROTOBUF_LIST_TAIL])), 2);
  t.throws(() => countItems('protobuf', Buffer.concat([head, item])), 'a list cut short');
  t.throws(() => countItems('protobuf', Buffer.from('{"items":[]}')), 'JSON');
  const table = '{"rows":[{"cells":[1],"object":{"metadata":{"uid":"a"}}},{"cells":[2]}]}';
  t.equal(countItems('Table without objects', Buffer.from(table)), 2);
  t.throws(() => countItems('Table', Buffer.from(table)), /2 times "cells":\[ and 1 times/);
});

t.test('the token for the next page is found in each form', async (t) => {
  const type = { apiVersion: 'v1', kind: 'ConfigMapList' };
  const meta = (continueToken: string) => ({ rv: 9, continueToken, remaining: 3 });
  const page = (token: string) =>
    Buffer.concat([protobufListHead(type, meta(token), 0), PROTOBUF_LIST_TAIL]);
  t.equal(continueTokenOf('protobuf', page('abc')), 'abc');
  t.equal(continueTokenOf('protobuf', page('')), '');
  const items = '"items":[{"metadata":{"continue":"no"}}]';
  const json = (metadata: object) =>
    Buffer.from(`{"kind":"ConfigMapList","metadata":${JSON.stringify(metadata)},${items}}`);
  t.equal(continueTokenOf('JSON', json({ resourceVersion: '9', continue: 'abc' })), 'abc');
  t.equal(continueTokenOf('JSON', json({ resourceVersion: '9' })), '');
});

t.end();
