/** Complete HTTP requests as bytes, with counters that are overwritten in place. */

import { K8S } from '../src/semantics/dialect/dialect.ts';
import { swapDocument } from '../src/semantics/dialect/json-edits.ts';
import {
  CONTENT_MARK,
  COUNTER_DIGITS,
  NAME_MARK,
  OBJECT_TEXTS,
  type ObjectKind,
} from './object-texts.ts';
import type { PatchText } from './patch-texts.ts';
import {
  acceptFor,
  acceptsGzip,
  mediaTypeFor,
  pathFor,
  type ApiDomain,
  type FormName,
} from './representation-forms.ts';

function placesOf(text: string, mark: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) places.push(at);
  return places;
}

/** A request that holds the number of an object, and another number in its content. */
export class RequestTemplate {
  readonly #bytes: Buffer;
  readonly #namePlaces: readonly number[];
  readonly #contentPlaces: readonly number[];

  constructor(text: string) {
    this.#bytes = Buffer.from(text, 'latin1');
    this.#namePlaces = placesOf(text, NAME_MARK);
    this.#contentPlaces = placesOf(text, CONTENT_MARK);
  }

  /** The request for these numbers; the bytes are valid until the next call. */
  with(name: number, content: number): Buffer {
    for (const place of this.#namePlaces) this.#write(place, name);
    for (const place of this.#contentPlaces) this.#write(place, content);
    return this.#bytes;
  }

  #write(place: number, counter: number): void {
    let rest = counter;
    for (let at = place + COUNTER_DIGITS - 1; at >= place; at -= 1) {
      this.#bytes[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }
}

export interface RequestOptions {
  readonly token: string;
  readonly namespace: string;
  /** Size of a ConfigMap's JSON as sent; other kinds have theirs. */
  readonly objectBytes: number;
  /** The kind that is asked for or written; ConfigMaps when it is absent. */
  readonly kind?: ObjectKind;
  /** The body of those who patch. */
  readonly patch?: PatchText;
  /** That of bodies and answers; plain JSON when it is absent. */
  readonly form?: FormName;
  /** Which names the server speaks; the neutral ones when it is absent. */
  readonly domain?: ApiDomain;
  /** In the place of the kind's own text, with the same marks. */
  readonly body?: Uint8Array;
}

interface Target {
  readonly method: string;
  readonly path: string;
  readonly isList?: boolean;
}

interface Content {
  readonly bytes: number;
  /** That of the form when it is absent. */
  readonly type?: string;
}

function head(
  { token, form = 'JSON', domain = 'cluster.io' }: RequestOptions,
  { method, path, isList = false }: Target,
  content?: Content,
): string {
  const lines = [
    `${method} ${pathFor(form, path)} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: shardplane-bench',
    `Authorization: Bearer ${token}`,
    `Accept: ${acceptFor(form, domain, isList)}`,
  ];
  if (acceptsGzip(form)) lines.push('Accept-Encoding: gzip');
  if (content !== undefined) {
    const { type = mediaTypeFor(form, domain), bytes } = content;
    lines.push(`Content-Type: ${type}`, `Content-Length: ${bytes}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** One object, a character for each byte. */
function bodyOf(options: RequestOptions): string {
  const { namespace, objectBytes, kind = 'configmap', domain = 'cluster.io', body } = options;
  if (body !== undefined) return Buffer.from(body).toString('latin1');
  const { apiKind, text } = OBJECT_TEXTS[kind];
  const neutral = text(namespace, objectBytes);
  return domain === K8S.domain ? swapDocument(apiKind, neutral) : neutral;
}

function collectionPath({ namespace, kind = 'configmap' }: RequestOptions): string {
  return OBJECT_TEXTS[kind].collection(namespace);
}

function objectPath(options: RequestOptions): string {
  return `${collectionPath(options)}/${OBJECT_TEXTS[options.kind ?? 'configmap'].name}`;
}

/** POST of one object. */
export function createRequest(options: RequestOptions): RequestTemplate {
  const body = bodyOf(options);
  const target = { method: 'POST', path: collectionPath(options) };
  return new RequestTemplate(head(options, target, { bytes: body.length }) + body);
}

/** PUT of one object, with new content each time the number changes. */
export function updateRequest(options: RequestOptions): RequestTemplate {
  const body = bodyOf(options);
  const target = { method: 'PUT', path: objectPath(options) };
  return new RequestTemplate(head(options, target, { bytes: body.length }) + body);
}

/** PATCH of one object, with new content each time the number changes. */
export function patchRequest(
  options: RequestOptions,
  { contentType: type, target, body }: PatchText,
): RequestTemplate {
  const path = objectPath(options) + target;
  const content = { type, bytes: body.length };
  return new RequestTemplate(head(options, { method: 'PATCH', path }, content) + body);
}

export function getRequest(options: RequestOptions): RequestTemplate {
  return new RequestTemplate(head(options, { method: 'GET', path: objectPath(options) }));
}

export function listRequest(options: RequestOptions): Buffer {
  const target = { method: 'GET', path: collectionPath(options), isList: true };
  return Buffer.from(head(options, target), 'latin1');
}

/** Watches select all of the namespace, one object each, or a label of their own each. */
export type Selector = 'all' | 'name' | 'label';

/** A watch from this version; `with` gives the number of what it selects. */
export function watchRequest(
  options: RequestOptions,
  fromVersion: string,
  selector: Selector,
): RequestTemplate {
  const selectors = {
    all: '',
    name: `&fieldSelector=metadata.name%3Dcm-${NAME_MARK}`,
    label: `&labelSelector=app%3Dwatched-${NAME_MARK}`,
  };
  const query = `watch=true&resourceVersion=${fromVersion}${selectors[selector]}`;
  const path = `${collectionPath(options)}?${query}`;
  return new RequestTemplate(head(options, { method: 'GET', path }));
}

/** A page of the collection: the first one when there is no token. */
export function pageRequest(options: RequestOptions, limit: number, continueToken: string): Buffer {
  const from = continueToken === '' ? '' : `&continue=${encodeURIComponent(continueToken)}`;
  const path = `${collectionPath(options)}?limit=${limit}${from}`;
  return Buffer.from(head(options, { method: 'GET', path, isList: true }), 'latin1');
}
