/** All facts of the documents of an API. */
import { addAggregated, addGroup, addGroups, addResources } from './discovery-facts.ts';
import type { Documents } from './documents.ts';
import { isJson, shortName, type Facts, type Json } from './facts.ts';
import { addOperation, operationsOf } from './operation-facts.ts';
import { enumOf, type Enums } from './published-enums.ts';
import { addDefinition } from './schema-facts.ts';

/** Reads the facts of both versions of OpenAPI, and of discovery. */
export function documentFacts(documents: Documents): Facts {
  const facts = factsOfV3(documents);
  for (const [subject, text] of factsOfV2(documents.v2)) {
    const own = facts.get(subject);
    if (own === undefined) facts.set(subject, text);
    else if (inVersion2(own) !== inVersion2(text)) facts.set(`v2 ${subject}`, text);
  }
  for (const [path, document] of documents.discovery) {
    if (path === '/apis') addGroups(facts, document);
    else if (document['kind'] === 'APIGroup') addGroup(facts, document);
    else if (document['kind'] === 'APIResourceList') addResources(facts, document);
  }
  if (documents.aggregated !== undefined) addAggregated(facts, documents.aggregated);
  return facts;
}

/** Version 2 has no defaults, and what is published of it no allowed values. */
function inVersion2(text: string): string {
  return text.replaceAll(/ (?:item\.)?(?:default|enum)=\S*/g, '');
}

function factsOfV2(document: Json): Facts {
  const facts: Facts = new Map();
  for (const [name, schema] of members(document['definitions']))
    addDefinition(facts, name, schema, '');
  for (const operation of operationsOf(document)) addOperation(facts, operation);
  return facts;
}

function factsOfV3(documents: Documents): Facts {
  const { v3, enums } = documents;
  const facts: Facts = new Map();
  const hasOperations = tellsActions(documents);
  for (const [root, document] of v3) {
    const { components } = document;
    const schemas = members(isJson(components) ? components['schemas'] : undefined);
    facts.set(`document ${root}`, definitionsText(document));
    for (const [name, schema] of schemas) {
      const added: Facts = new Map();
      addDefinition(added, name, withEnums(name, schema, enums), root);
      for (const [subject, text] of added) {
        const known = facts.get(subject);
        // A definition is the same wherever it is, but for what is told then.
        if (known === undefined) facts.set(subject, text);
        else if (known !== text) facts.set(`document ${root} ${shortName(subject)}`, text);
      }
    }
    if (!hasOperations) continue;
    for (const operation of operationsOf(document)) addOperation(facts, operation);
  }
  return facts;
}

/**
 * Whether actions and kinds of operations are told: the first release that has version 3 leaves
 * them out of it, and more, so that its operations are those of version 2.
 */
function tellsActions({ v3 }: Documents): boolean {
  return [...v3.values()].some((document) =>
    operationsOf(document).some(({ content }) => content['x-kubernetes-action'] !== undefined),
  );
}

/** Which definitions a document has: those that it refers to, and no others. */
function definitionsText(document: Json): string {
  const { components } = document;
  const schemas = isJson(components) && isJson(components['schemas']) ? components['schemas'] : {};
  const reached = new Set<string>();
  const add = (value: unknown): void => {
    for (const name of referencesIn(value)) {
      if (reached.has(name)) continue;
      reached.add(name);
      add(schemas[name]);
    }
  };
  add(document['paths']);
  const names = Object.keys(schemas);
  const missing = [...reached].filter((name) => schemas[name] === undefined);
  const others = names.filter((name) => !reached.has(name));
  return [
    'definitions of what it refers to',
    ...missing.map((name) => `without ${shortName(name)}`),
    ...others.map((name) => `with ${shortName(name)}`),
  ].join(' ');
}

function referencesIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(value, (key, member: unknown) => {
    if (key === '$ref' && typeof member === 'string') {
      found.add(member.slice(member.lastIndexOf('/') + 1));
    }
    return member;
  });
  return found;
}

function withEnums(name: string, schema: Json, enums: Enums | undefined): Json {
  if (enums === undefined || !isJson(schema['properties'])) return schema;
  const properties = members(schema['properties']).map(([member, value]) => {
    const found = enumOf(enums, name, member);
    if (found === undefined) return [member, value];
    const { items, additionalProperties } = value;
    if (isJson(items)) return [member, { ...value, items: { ...items, enum: found } }];
    if (!isJson(additionalProperties)) return [member, { ...value, enum: found }];
    return [member, { ...value, additionalProperties: { ...additionalProperties, enum: found } }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Json };
}

function members(value: unknown): [string, Json][] {
  const all = isJson(value) ? Object.entries(value) : [];
  return all.filter((entry): entry is [string, Json] => isJson(entry[1]));
}
