/** Facts of discovery, in both of its forms. */
import {
  isJson,
  kindText,
  listOf,
  textsOf,
  textOf,
  oneWord,
  type Facts,
  type Json,
} from './facts.ts';

/** Adds what `/apis` says: the groups in their order, and their versions. */
export function addGroups(facts: Facts, document: Json): void {
  const groups = listOf(document['groups']);
  facts.set('groups', groups.map(({ name }) => textOf(name)).join(' '));
  for (const group of groups) facts.set(`group ${textOf(group['name'])} listed`, versions(group));
}

/** Adds what `/apis/GROUP` says. */
export function addGroup(facts: Facts, document: Json): void {
  facts.set(`group ${textOf(document['name'])}`, versions(document));
}

function versions(group: Json): string {
  const all = listOf(group['versions']).map((one) => textOf(one['groupVersion']));
  const preferred = isJson(group['preferredVersion']) ? group['preferredVersion'] : {};
  return `${all.join(' ')}, preferred ${textOf(preferred['groupVersion'])}`;
}

/** Adds what `/apis/GROUP/VERSION` says. */
export function addResources(facts: Facts, document: Json): void {
  const groupVersion = textOf(document['groupVersion']);
  const resources = listOf(document['resources']);
  const names = resources.map(({ name }) => textOf(name));
  facts.set(`resources ${groupVersion}`, orderText(names));
  for (const resource of resources) {
    const { name, namespaced, kind, group, version, singularName, verbs, ...more } = resource;
    facts.set(
      `resources ${groupVersion} ${textOf(name)}`,
      [
        kindText({ group, version, kind }),
        namespaced === true ? 'namespaced' : 'cluster',
        `singular=${textOf(singularName)}`,
        `verbs=${textsOf(verbs).join(',')}`,
        ...others(more),
      ].join(' '),
    );
  }
}

/** The order of names, where it is not that of the alphabet. */
function orderText(names: readonly string[]): string {
  const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name);
  return isSorted ? 'sorted' : names.join(' ');
}

/** Adds what `/apis` says to those who ask for all of it at once. */
export function addAggregated(facts: Facts, document: Json): void {
  const items = listOf(document['items']);
  const names = items.map(({ metadata }) => (isJson(metadata) ? textOf(metadata['name']) : ''));
  facts.set('aggregated', `${textOf(document['apiVersion'])} ${textOf(document['kind'])}`);
  facts.set('aggregated groups', names.join(' '));
  for (const [index, item] of items.entries()) {
    const name = names[index] ?? '';
    const metadata = isJson(item['metadata']) ? item['metadata'] : {};
    const found = listOf(item['versions']);
    const told = found.map(({ version, freshness }) => `${textOf(version)}:${textOf(freshness)}`);
    facts.set(
      `aggregated ${name}`,
      [...told, ...others({ ...metadata, name: undefined })].join(' '),
    );
    for (const version of found) {
      addAggregatedVersion(facts, `aggregated ${name}/${textOf(version['version'])}`, version);
    }
  }
}

function addAggregatedVersion(facts: Facts, subject: string, version: Json): void {
  const resources = listOf(version['resources']);
  facts.set(subject, orderText(resources.map(({ resource }) => textOf(resource))));
  for (const each of resources) {
    const { resource, scope, singularResource, subresources, ...more } = each;
    const name = textOf(resource);
    const parts = listOf(subresources).map(({ subresource }) => textOf(subresource));
    const order = parts.length > 1 ? [`subresources=${orderText(parts)}`] : [];
    const singular = `singular=${textOf(singularResource)}`;
    facts.set(`${subject} ${name}`, [...shown(more), textOf(scope), singular, ...order].join(' '));
    for (const { subresource, ...part } of listOf(subresources)) {
      facts.set(`${subject} ${name}/${textOf(subresource)}`, shown(part).join(' '));
    }
  }
}

function shown({ responseKind, verbs, ...more }: Json): readonly string[] {
  const kind = isJson(responseKind) ? kindText(responseKind) : 'no kind';
  return [kind, `verbs=${textsOf(verbs).join(',')}`, ...others(more)];
}

function others(members: Json): readonly string[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
      if (isList) return `${name}=${value.join(',')}`;
      return `${name}=${typeof value === 'string' ? value : oneWord(JSON.stringify(value))}`;
    })
    .sort();
}
