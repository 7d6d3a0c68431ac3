/** The requests of the tests, which are in the neutral names, in those that clients know. */
import { swapDocument, swapJsonPatch } from '../../src/semantics/dialect/json-edits.ts';
import { swapText } from '../../src/semantics/dialect/names-in-text.ts';
import { swapFieldSelector, swapLabelSelector } from '../../src/semantics/dialect/selectors.ts';
import { swapUrl } from '../../src/semantics/dialect/names.ts';
import type { FuzzCase } from '../../test/support/fuzz-cases.ts';

/** What stands in another dialect is the same request, for one server and for the other. */
export function inClientNames(request: FuzzCase): FuzzCase {
  const path = pathInClientNames(request.path, request.kind);
  const { body, contentType = '', kind } = request;
  if (typeof body !== 'string') return { ...request, path };
  return { ...request, path, body: bodyInClientNames(body, kind, contentType) };
}

export function pathInClientNames(path: string, kind: string): string {
  const url = swapUrl(path);
  const question = url.indexOf('?');
  if (question < 0) return url;
  const query = new URLSearchParams(url.slice(question + 1));
  const selectors = [
    ['labelSelector', (text: string) => swapLabelSelector(text)],
    ['fieldSelector', (text: string) => swapFieldSelector(kind, text)],
  ] as const;
  let isSame = true;
  for (const [name, swap] of selectors) {
    const values = query.getAll(name);
    const others = values.map(swap);
    if (values.every((value, at) => value === others[at])) continue;
    isSame = false;
    query.delete(name);
    for (const value of others) query.append(name, value);
  }
  return isSame ? url : `${url.slice(0, question)}?${query.toString()}`;
}

function bodyInClientNames(body: string, kind: string, contentType: string): string {
  try {
    JSON.parse(body);
  } catch {
    return swapText(body);
  }
  const isJsonPatch = contentType.includes('json-patch');
  return isJsonPatch ? swapJsonPatch(kind, body) : swapDocument(kind, body);
}
