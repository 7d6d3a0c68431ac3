/** Complete HTTP requests as bytes, with counters that are overwritten in place. */

import {
  CONTENT_MARK,
  COUNTER_DIGITS,
  NAME_MARK,
  OBJECT_TEXTS,
  type ObjectKind,
} from './object-texts.ts';
import type { PatchText } from './patch-texts.ts';

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
  /** What is written; ConfigMaps when it is absent. */
  readonly kind?: ObjectKind;
  /** What is sent by those who patch. */
  readonly patch?: PatchText;
}

function head(
  method: string,
  path: string,
  token: string,
  bodyBytes: number,
  contentType = 'application/json',
): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: shardplane-bench',
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
  ];
  if (bodyBytes > 0) lines.push(`Content-Type: ${contentType}`, `Content-Length: ${bodyBytes}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** POST of one object. */
export function createRequest(options: RequestOptions): RequestTemplate {
  const { token, namespace, objectBytes, kind = 'configmap' } = options;
  const { collection, text } = OBJECT_TEXTS[kind];
  const body = text(namespace, objectBytes);
  return new RequestTemplate(head('POST', collection(namespace), token, body.length) + body);
}

/** PUT of one object, with new content each time the number changes. */
export function updateRequest(options: RequestOptions): RequestTemplate {
  const { token, namespace, objectBytes, kind = 'configmap' } = options;
  const { collection, name, text } = OBJECT_TEXTS[kind];
  const body = text(namespace, objectBytes);
  const path = `${collection(namespace)}/${name}`;
  return new RequestTemplate(head('PUT', path, token, body.length) + body);
}

/** PATCH of one object, with new content each time the number changes. */
export function patchRequest(
  { token, namespace, kind = 'configmap' }: RequestOptions,
  { contentType, target, body }: PatchText,
): RequestTemplate {
  const { collection, name } = OBJECT_TEXTS[kind];
  const path = `${collection(namespace)}/${name}${target}`;
  return new RequestTemplate(head('PATCH', path, token, body.length, contentType) + body);
}

const configMaps = OBJECT_TEXTS.configmap.collection;

export function getRequest({ token, namespace }: RequestOptions): RequestTemplate {
  const path = `${configMaps(namespace)}/cm-${NAME_MARK}`;
  return new RequestTemplate(head('GET', path, token, 0));
}

export function listRequest({ token, namespace }: RequestOptions): Buffer {
  return Buffer.from(head('GET', configMaps(namespace), token, 0), 'latin1');
}

/** What watches select: all of the namespace, one object each, or a label of their own each. */
export type Selector = 'all' | 'name' | 'label';

/** A watch from this version; `with` gives the number of what it selects. */
export function watchRequest(
  { token, namespace }: RequestOptions,
  fromVersion: string,
  selector: Selector,
): RequestTemplate {
  const selectors = {
    all: '',
    name: `&fieldSelector=metadata.name%3Dcm-${NAME_MARK}`,
    label: `&labelSelector=app%3Dwatched-${NAME_MARK}`,
  };
  const query = `watch=true&resourceVersion=${fromVersion}${selectors[selector]}`;
  return new RequestTemplate(head('GET', `${configMaps(namespace)}?${query}`, token, 0));
}

/** A page of the collection: the first one when there is no token. */
export function pageRequest(
  { token, namespace }: RequestOptions,
  limit: number,
  continueToken: string,
): Buffer {
  const from = continueToken === '' ? '' : `&continue=${encodeURIComponent(continueToken)}`;
  const path = `${configMaps(namespace)}?limit=${limit}${from}`;
  return Buffer.from(head('GET', path, token, 0), 'latin1');
}
