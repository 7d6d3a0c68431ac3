/**
 * Answers in every form that clients may ask for, held against the same in plain JSON: bytes are
 * what a second encoder makes of it (`test/codec/protobuf-reflection.ts`), YAML is read by the
 * YAML package.
 */
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import protobuf from 'protobufjs';
import type { Test } from 'tap';
import { parse } from 'yaml';
import { deepEqual } from '../../src/base/deep-equal.ts';
import { compileMessage, type MessageCodecs } from '../../src/codec/message-codecs.ts';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { groupVersionOf } from '../../src/resources/kind.ts';
import { isReleased } from '../../src/resources/kind-lives.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { encodeByReflection } from '../codec/protobuf-reflection.ts';
import { MODEL } from '../resources/kind-rules.ts';
import type { TestObject } from './kinds.ts';
import { PATIENCE_MS } from './patience.ts';
import { IDLE_MS_MAX, type RequestHeaders, type Server } from './server.ts';
import type { WireNames } from './wire-names.ts';

export const JSON_TYPE = 'application/json';
export const YAML = 'application/yaml';
export const PROTOBUF = 'application/vnd.cluster.protobuf';

export interface BytesAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const KEPT_ALIVE = new Agent({ keepAlive: true, timeout: IDLE_MS_MAX });

function open(
  server: Server,
  method: string,
  path: string,
  headers: RequestHeaders,
  body?: Uint8Array | string,
  agent: Agent | false = KEPT_ALIVE,
): Promise<IncomingMessage> {
  const authorization = `Bearer ${server.token}`;
  const asked = server.names.request({
    method,
    path,
    headers: { authorization, ...headers },
    body,
  });
  const length = asked.body === undefined ? undefined : Buffer.byteLength(asked.body);
  const sent = { ...(length !== undefined && { 'content-length': length }), ...asked.headers };
  return new Promise((resolve, reject) => {
    const { port } = server;
    const options = { ...asked, host: '127.0.0.1', port, headers: sent, agent };
    const request = httpRequest(options, resolve);
    request.on('error', reject);
    request.end(asked.body);
  });
}

/** One request whose answer is taken as the bytes that it is. */
export async function requestBytes(
  server: Server,
  method: string,
  path: string,
  headers: RequestHeaders,
  body?: Uint8Array | string,
): Promise<BytesAnswer> {
  const response = await open(server, method, path, headers, body);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { statusCode = 0, headers: sent } = response;
  return server.names.answer({ status: statusCode, headers: sent, bytes: Buffer.concat(chunks) });
}

/** A version of a kind: its type, and its message. */
export interface VersionFacts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: string;
}

/** All served versions of the kind that this is one of. */
export function versionsOf(apiVersion: string, kind: string): VersionFacts[] {
  for (const definition of KINDS.filter((one) => one.kind === kind)) {
    const { group, version, message, otherVersions = [] } = definition;
    const views = [{ group, version, message }, ...otherVersions].map((view) => ({
      ...view,
      group: view.group ?? group,
      kind,
    }));
    const versions = views.filter(isReleased).map((view) => ({
      kind,
      apiVersion: groupVersionOf(view),
      message: view.message ?? message,
    }));
    if (versions.some((one) => one.apiVersion === apiVersion)) return versions;
  }
  throw new Error(`no kind ${apiVersion} ${kind}`);
}

const codecs = new Map<string, MessageCodecs>();

function codecsOf(message: string): MessageCodecs {
  let known = codecs.get(message);
  if (known === undefined) codecs.set(message, (known = compileMessage(MODEL, message)));
  return known;
}

/** The second encoder does not know members that are kept as they were sent. */
const isKept = (message: string): boolean => message.startsWith('apiextensions.');

/** The bytes of a message that holds what this document holds. */
export function messageBytes(message: string, document: object): Buffer {
  const { json, protobuf } = codecsOf(message);
  const { object } = json.decode(JSON.stringify(document));
  if (isKept(message)) return Buffer.from(protobuf.encodeObject(object));
  return Buffer.from(encodeByReflection(message, object));
}

/** A whole document in binary, as clients write it. */
export function envelopeOf(
  { apiVersion, kind }: Omit<VersionFacts, 'message'>,
  raw: Uint8Array,
): Buffer {
  const text = (number: number, value: string): Buffer =>
    Buffer.concat([Buffer.of(number * 8 + 2, value.length), Buffer.from(value)]);
  const type = Buffer.concat([text(1, apiVersion), text(2, kind)]);
  const writer = protobuf.Writer.create().uint32(10).bytes(type).uint32(18).bytes(raw);
  return Buffer.concat([Buffer.from('k8s\0'), writer.finish()]);
}

/** Whether the bytes are the message that holds what the document holds. */
export function isMessageOf(message: string, bytes: Uint8Array, document: object): boolean {
  if (!isKept(message)) return messageBytes(message, document).equals(bytes);
  const { json, protobuf } = codecsOf(message);
  const { object } = json.decode(JSON.stringify(document));
  const parsed = (one: object): unknown => JSON.parse(`{${json.encode(one)}`);
  return deepEqual(parsed(protobuf.decode(bytes) as object), parsed(object));
}

/** The document is in binary, is of this type, and holds what the JSON holds. */
export function checkBinary(
  t: Test,
  bytes: Uint8Array,
  { apiVersion, kind, message }: VersionFacts,
  document: object,
  what: string,
): void {
  const envelope = unwrapProtobuf(bytes);
  t.strictSame(
    [envelope.apiVersion, envelope.kind, isMessageOf(message, envelope.raw, document)],
    [apiVersion, kind, true],
    `${what}: ${message}`,
  );
}

export interface BinaryList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: unknown;
  readonly items: readonly Buffer[];
}

/**
 * A list in binary; `metadata` stands in the first member, of the list of v1beta1 in the second.
 */
export function readBinaryList(bytes: Uint8Array, metadataNumber: 1 | 2 = 1): BinaryList {
  const { apiVersion, kind, raw } = unwrapProtobuf(bytes);
  const reader = protobuf.Reader.create(raw);
  let metadata: unknown;
  const items: Buffer[] = [];
  while (reader.pos < reader.len) {
    const number = reader.uint32() >>> 3;
    const member = Buffer.from(reader.bytes());
    if (number === metadataNumber) metadata = listMetaOf(member);
    else items.push(member);
  }
  return { apiVersion, kind, metadata, items };
}

/** {selfLink 1, resourceVersion 2, continue 3, remainingItemCount 4}, as JSON shows it. */
function listMetaOf(message: Buffer): object {
  const reader = protobuf.Reader.create(message);
  const texts = [1, 2, 3].map((number) => {
    if (reader.uint32() !== number * 8 + 2) throw new Error(`no field ${number} in ListMeta`);
    return reader.string();
  });
  const [, resourceVersion, token] = texts;
  const remainingItemCount = reader.pos < reader.len ? Number(reader.skip(1).int64()) : 0;
  return {
    resourceVersion,
    ...(token !== '' && { continue: token }),
    ...(remainingItemCount !== 0 && { remainingItemCount }),
  };
}

/** The document that YAML text stands for. */
export function readYaml(bytes: Buffer): TestObject {
  return parse(bytes.toString(), { intAsBigInt: false }) as TestObject;
}

export interface BinaryEvent {
  readonly type: string;
  /** The document of the object. */
  readonly object: Buffer;
}

/** A watch in binary: frames of a length and a WatchEvent {type 1, object 2 {raw 1}}. */
export class BinaryWatch {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #names: WireNames;
  #bytes: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  constructor(response: IncomingMessage, names: WireNames) {
    this.#names = names;
    this.status = response.statusCode ?? 0;
    this.headers = names.headers(response.headers);
    this.#response = response;
    response.on('error', () => undefined);
    response.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
  }

  /** The next event; rejects when there is none within the guard time. */
  async next(): Promise<BinaryEvent> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const length = this.#bytes.length < 4 ? Infinity : this.#bytes.readUInt32BE(0);
      if (this.#bytes.length >= 4 + length) {
        const frame = this.#bytes.subarray(4, 4 + length);
        this.#bytes = this.#bytes.subarray(4 + length);
        const { type, object } = readEvent(frame);
        return { type, object: this.#names.binary(object) };
      }
      if (Date.now() > deadline) throw new Error(`no frame; rest: ${this.#bytes.toString('hex')}`);
      await this.#more();
    }
  }

  close(): void {
    this.#response.destroy();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 250);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function readEvent(frame: Buffer): BinaryEvent {
  const reader = protobuf.Reader.create(frame);
  const [type, extension] = [reader.skip(1).string(), reader.skip(1).bytes()];
  const inner = protobuf.Reader.create(extension);
  return { type, object: Buffer.from(inner.skip(1).bytes()) };
}

export async function watchBinary(
  server: Server,
  path: string,
  accept = `${PROTOBUF};stream=watch`,
): Promise<BinaryWatch> {
  const response = await open(server, 'GET', path, { accept }, undefined, false);
  return new BinaryWatch(response, server.names);
}
