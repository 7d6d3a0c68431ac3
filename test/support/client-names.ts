/** The wire in the names that clients know, for tests in the neutral ones. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { compileMessage, type MessageCodecs } from '../../src/codec/message-codecs.ts';
import { unwrapProtobuf, wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { yamlToJsonText } from '../../src/codec/yaml/yaml-body.ts';
import { yamlText } from '../../src/codec/yaml/yaml-text.ts';
import { swapDocument } from '../../src/semantics/dialect/json-edits.ts';
import { swapText } from '../../src/semantics/dialect/names-in-text.ts';
import {
  swapGroupSuffix,
  swapGroupVersion,
  swapManager,
  swapUser,
} from '../../src/semantics/dialect/names.ts';
import { MODEL } from '../resources/kind-rules.ts';
import { bodyInClientNames, pathInClientNames } from './requests-in-client-names.ts';
import { RESOURCES } from './resources.ts';
import type { WireNames } from './wire-names.ts';

const GONE = 410;

export const CLIENT_NAMES: WireNames = {
  request: (request) => {
    const { method, path, headers, body } = request;
    const resource = resourceOf(path);
    const bodyKind = method === 'DELETE' ? 'DeleteOptions' : (resource?.bodyKind ?? '');
    return {
      ...request,
      path: pathInClientNames(path, resource?.kind ?? ''),
      headers: requestHeaders(headers),
      body: requestBody(body, bodyKind, String(headers['content-type'] ?? '')),
    };
  },
  answer: (answer) => {
    const headers = answerHeaders(answer.headers);
    const { status } = answer;
    const isZipped = headers['content-encoding'] === 'gzip';
    const bytes = isZipped ? gunzipSync(answer.bytes) : answer.bytes;
    const refused = status === 200 ? refusalOf(bytes.toString()) : undefined;
    if (refused !== undefined) return { status: GONE, headers, bytes: Buffer.from(refused) };
    const swapped = swapBody(headers['content-type'] ?? '', bytes);
    return { status, headers, bytes: isZipped ? gzipSync(swapped) : swapped };
  },
  headers: answerHeaders,
  event: swapJson,
  refusal: refusalOf,
  binary: swapBinary,
};

/** `/apis/<group>/<version>` or `/api/v1`, perhaps a namespace, and a resource. */
const OF_RESOURCE =
  /^\/(?:api|apis\/[^/?]+)\/[^/?]+(?:\/watch)?(?:\/namespaces\/[^/?]+(?=\/(?!status|finalize)))?\/([^/?]+)(?:\/[^/?]+(?:\/([^/?]+))?)?/;

function resourceOf(path: string): { kind: string; bodyKind: string } | undefined {
  const [, plural = '', subresource] = OF_RESOURCE.exec(path) ?? [];
  const kindOf = (resource: string): string | undefined =>
    RESOURCES.find(([, name]) => name === resource)?.[2];
  const kind = kindOf(plural);
  if (kind === undefined) return undefined;
  return { kind, bodyKind: kindOf(`${plural}/${subresource}`) ?? kind };
}

function requestHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const swaps: Readonly<Record<string, (text: string) => string>> = {
    accept: swapText,
    'content-type': swapText,
    'user-agent': (agent) => agent.replace(/^[^/ ]*/, (program) => swapManager(program)),
    'impersonate-user': swapUser,
    'impersonate-group': swapUser,
  };
  const entries = Object.entries(headers).map(([name, value]) => {
    const swap = swaps[name.toLowerCase()];
    return [name, swap && typeof value === 'string' ? swap(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function requestBody(
  body: string | Uint8Array | undefined,
  kind: string,
  contentType: string,
): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return bodyInClientNames(body, kind, contentType);
  if (contentType.includes('protobuf')) return swapBinary(Buffer.from(body));
  const text = Buffer.from(body).toString();
  // Bytes that are no text are sent as they are.
  const isText = Buffer.from(text).equals(body);
  return isText ? Buffer.from(bodyInClientNames(text, kind, contentType)) : body;
}

function answerHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const swapped = { ...headers };
  for (const name of ['content-type', 'warning'] as const) {
    const value = headers[name];
    if (typeof value === 'string') swapped[name] = swapText(value);
  }
  return swapped;
}

function swapBody(contentType: string, bytes: Buffer): Buffer {
  if (contentType.includes('protobuf')) return swapBinary(bytes);
  const text = bytes.toString();
  if (!contentType.includes('yaml')) return Buffer.from(swapJson(text));
  return Buffer.from(yamlText(swapJson(yamlToJsonText(text))));
}

/** An event of a watch, in two parts: what holds its object, and that. */
const EVENT = /^(\{"type":"[A-Z]+","object":)(.*)\}$/s;

/** A document that says of which kind it is, lines of such, or another text. */
function swapJson(text: string): string {
  const document = parsed(text);
  if (document === undefined) {
    const lines = text.split('\n');
    return lines.length === 1 ? swapWords(text) : lines.map(swapJson).join('\n');
  }
  const { kind } = document;
  const [, type, object] = EVENT.exec(text) ?? [];
  if (object !== undefined) return `${type}${swapJson(object)}}`;
  // All of a Status is for people: it has names in its causes too.
  if (typeof kind !== 'string' || kind === 'Status') return swapWords(text);
  return swapKeys(swapDocument(kind, text));
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function swapWords(text: string): string {
  return swapKeys(swapText(text));
}

/** `clusterrole.rbac.authorization.k8s.io`: conditions and reasons name a kind in this way. */
function swapKeys(text: string): string {
  return text.replaceAll(/\b[a-z]+(?:\.[a-z]+)+\.k8s\.io/g, swapGroupSuffix);
}

/** In this dialect a watch from a version that is too old is answered by an event. */
function refusalOf(line: string): string | undefined {
  const { type, object } = parsed(line) ?? {};
  if (type !== 'ERROR' || (object as { code?: unknown }).code !== GONE) return undefined;
  return JSON.stringify(object);
}

/** Bytes that are no document of a known kind stay as they are. */
function swapBinary(bytes: Buffer): Buffer {
  try {
    const { apiVersion, kind, raw } = unwrapProtobuf(bytes);
    const type = { apiVersion: swapGroupVersion(apiVersion), kind };
    const codecs = codecsOf(apiVersion, kind);
    if (codecs === undefined) return Buffer.from(wrapProtobuf({ ...type, raw }));
    const isTurned = kind === 'PartialObjectMetadataList' && apiVersion.endsWith('/v1beta1');
    const swapped = swapMessage(codecs, kind, isTurned ? turned(raw) : raw);
    return Buffer.from(wrapProtobuf({ ...type, raw: isTurned ? turned(swapped) : swapped }));
  } catch {
    return bytes;
  }
}

function swapMessage(codecs: MessageCodecs, kind: string, raw: Uint8Array): Uint8Array {
  const { json, protobuf: binary } = codecs;
  const document = `{${json.encode(binary.decode(raw))}`;
  const swapped = swapDocument(kind, document);
  // A document without names keeps its bytes.
  return swapped === document ? raw : binary.encodeObject(json.decode(swapped).object);
}

/** Two members with their numbers exchanged: such a list of v1beta1 has its items first. */
function turned(raw: Uint8Array): Uint8Array {
  const members: [number: number, bytes: Uint8Array][] = [];
  const reader = protobuf.Reader.create(raw);
  while (reader.pos < reader.len) members.push([3 - (reader.uint32() >>> 3), reader.bytes()]);
  const writer = protobuf.Writer.create();
  for (const [number, bytes] of members.toSorted(([one], [other]) => one - other)) {
    writer.uint32(number * 8 + 2).bytes(bytes);
  }
  return writer.finish();
}

const compiled = new Map<string, MessageCodecs | undefined>();

function codecsOf(apiVersion: string, kind: string): MessageCodecs | undefined {
  const type = `${apiVersion} ${kind}`;
  if (!compiled.has(type)) {
    const name = messageNames(apiVersion, kind).find((one) => Object.hasOwn(MODEL.messages, one));
    compiled.set(type, name === undefined ? undefined : compileMessage(MODEL, name));
  }
  return compiled.get(type);
}

/** Messages stand in folders named by the first words of their group; some serve two versions. */
function messageNames(apiVersion: string, kind: string): string[] {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  const [first = '', second = ''] = group.split('.');
  const folder = first === 'internal' ? second + first : first;
  const versions = [version, 'v1', 'v1beta2', 'v1beta1'];
  return [...versions.map((one) => `${folder}.${one}.${kind}`), `meta.v1.${kind}`];
}
