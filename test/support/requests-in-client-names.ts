/** The requests of the tests, which are in the neutral names, in those that clients know. */
import { swapDocument, swapJsonPatch } from '../../src/semantics/dialect/json-edits.ts';
import { swapText } from '../../src/semantics/dialect/names-in-text.ts';
import { swapFieldSelector, swapLabelSelector } from '../../src/semantics/dialect/selectors.ts';
import {
  swapGroupSuffix,
  swapManager,
  swapNamespace,
  swapUrl,
} from '../../src/semantics/dialect/names.ts';

/** Collections whose objects are named after API groups. */
const NAMED_AFTER_GROUPS = new Set(['apiservices', 'customresourcedefinitions']);

export interface NeutralRequest {
  readonly path: string;
  /** The kind of the body, or of the objects that the path is of. */
  readonly kind: string;
  readonly body?: string | Buffer;
  readonly contentType?: string;
}

/** Gives the same request in the other dialect, for one server and for the other. */
export function inClientNames<Request extends NeutralRequest>(request: Request): Request {
  const path = pathInClientNames(request.path, request.kind);
  const { body, contentType = '', kind } = request;
  if (typeof body !== 'string') return { ...request, path };
  return { ...request, path, body: bodyInClientNames(body, kind, contentType) };
}

/** A path and its query, for a resource whose objects are of a kind. */
export function pathInClientNames(path: string, kind: string): string {
  const question = path.indexOf('?');
  if (question < 0) return swapPathname(path);
  const pathname = swapPathname(path.slice(0, question));
  const query = new URLSearchParams(path.slice(question + 1));
  const swaps = [
    ['labelSelector', swapLabelSelector],
    ['fieldSelector', (text: string) => swapFieldSelector(kind, text)],
    ['fieldManager', swapManager],
  ] as const;
  let isSame = true;
  for (const [name, swap] of swaps) {
    const values = query.getAll(name);
    const others = values.map((value) => swap(value));
    if (values.every((value, at) => value === others[at])) continue;
    isSame = false;
    query.delete(name);
    for (const value of others) query.append(name, value);
  }
  return isSame ? pathname + path.slice(question) : `${pathname}?${query.toString()}`;
}

/** A body of a kind: JSON, or a text of which the names alone are known. */
export function bodyInClientNames(body: string, kind: string, contentType: string): string {
  try {
    JSON.parse(body);
  } catch {
    return swapText(body);
  }
  const isJsonPatch = contentType.includes('json-patch');
  return isJsonPatch ? swapJsonPatch(kind, body) : swapDocument(kind, body);
}

function swapPathname(pathname: string): string {
  const segments = swapUrl(pathname).split('/');
  return segments
    .map((segment, at) => {
      const before = segments[at - 1] ?? '';
      if (before === 'namespaces') return swapNamespace(segment);
      return NAMED_AFTER_GROUPS.has(before) ? swapGroupSuffix(segment) : segment;
    })
    .join('/');
}
