/** Finds resources by their paths: there are releases whose discovery is not published. */
import { isJson, kindText, listOf, textsOf, textOf, type Facts, type Json } from './facts.ts';
import { operationsOf } from './operation-facts.ts';

/** By `action`; what is passed on has the verb of its method. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['delete', 'delete'],
  ['deletecollection', 'deletecollection'],
  ['get', 'get'],
  ['list', 'list'],
  ['patch', 'patch'],
  ['post', 'create'],
  ['put', 'update'],
  ['watch', 'watch'],
  ['watchlist', 'watch'],
]);
const METHODS: ReadonlyMap<string, string> = new Map([
  ['delete', 'delete'],
  ['get', 'get'],
  ['patch', 'patch'],
  ['post', 'create'],
  ['put', 'update'],
]);

interface Resource {
  kind: string;
  isNamespaced: boolean;
  readonly verbs: Set<string>;
}

/** Finds the resources of the paths of a document of version 2. */
export function resourcesOfPaths(document: Json): Facts {
  const resources = new Map<string, Resource>();
  for (const { root, rest, method, content } of operationsOf(document)) {
    const found =
      /^(?:\/watch)?(\/namespaces\/\{namespace\})?\/([^/]+)(?:\/\{name\}(?:\/([^/{]+))?)?$/;
    const [path, namespace, plural = '', subresource] = found.exec(rest) ?? [];
    const action = textOf(content['x-kubernetes-action']);
    const kind = content['x-kubernetes-group-version-kind'];
    if (path === undefined || action === '' || !isJson(kind)) continue;
    const verb = action === 'connect' ? METHODS.get(method) : VERBS.get(action);
    const name = subresource === undefined ? plural : `${plural}/${subresource}`;
    const subject = `resource ${root.replace(/^apis?\//, '')} ${name}`;
    const resource = resources.get(subject) ?? { kind: '', isNamespaced: false, verbs: new Set() };
    resources.set(subject, resource);
    resource.kind = kindText({ kind: kind['kind'] });
    resource.isNamespaced ||= namespace !== undefined;
    if (verb !== undefined) resource.verbs.add(verb);
  }
  return factsOf(resources);
}

/** Finds the resources of discovery. */
export function resourcesOfDiscovery(documents: ReadonlyMap<string, Json>): Facts {
  const resources = new Map<string, Resource>();
  for (const document of documents.values()) {
    for (const { name, kind, namespaced, verbs } of listOf(document['resources'])) {
      resources.set(`resource ${textOf(document['groupVersion'])} ${textOf(name)}`, {
        kind: textOf(kind),
        isNamespaced: namespaced === true,
        verbs: new Set(textsOf(verbs)),
      });
    }
  }
  return factsOf(resources);
}

function factsOf(resources: ReadonlyMap<string, Resource>): Facts {
  return new Map(
    Array.from(resources, ([subject, { kind, isNamespaced, verbs }]) => {
      const scope = isNamespaced ? 'namespaced' : 'cluster';
      return [subject, `${kind} ${scope} ${[...verbs].sort().join(' ')}`];
    }),
  );
}
