/** The requests of the tests, which are in the neutral names, in those that clients know. */
import { K8S } from '../../src/semantics/dialect/dialect.ts';
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
    ['labelSelector', (text: string) => K8S.labelSelector(text)],
    ['fieldSelector', (text: string) => K8S.fieldSelector(kind, text)],
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
    return K8S.text(body);
  }
  const isJsonPatch = contentType.includes('json-patch');
  return isJsonPatch ? K8S.jsonPatch(kind, body) : K8S.document(kind, body);
}
