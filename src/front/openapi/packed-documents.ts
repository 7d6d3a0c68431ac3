/**
 * The documents of built-in types, made from the schema model: by the build for what is served by
 * default, by a thread of its own for anything else. Fronts send them, and add custom types.
 */
import { ownRelease } from '../../release/release.ts';
import { groupVersionOf } from '../../resources/kind.ts';
import { ownText } from '../../semantics/dialect/own-names.ts';
import { apiPaths } from './api-operations.ts';
import { contentTypes, type ApiPath } from './api-paths.ts';
import { documentEncoder, type DocumentMessages } from './binary-document.ts';
import { CUSTOM_REFERENCES } from './custom-paths.ts';
import { Definitions, type DescribedModel } from './definitions.ts';
import { DOCUMENTS, packDocuments } from './document-pack.ts';
import { documentOf, documentPart } from './document-texts.ts';
import { COMMON_KINDS, modelFacts, type GroupVersionKind, type Served } from './model-facts.ts';
import type { Definition } from './references.ts';

export interface OpenApiSource extends Served, DescribedModel {
  /** The messages of the binary form. */
  readonly messages: DocumentMessages;
}

const KINDS = 'x-kubernetes-group-version-kind';

/** All of them, packed (`document-pack.ts`); descriptions are those of the neutral dialect. */
export function packedDocuments(source: OpenApiSource): Uint8Array {
  const { model, messages } = source;
  const descriptions = Object.fromEntries(
    Object.entries(source.descriptions).map(([path, text]) => [path, ownText(text)]),
  );
  const made = { model, descriptions, facts: modelFacts(model, source) };
  const v2 = new Definitions(made, 'v2');
  const v3 = new Definitions(made, 'v3');
  const document = (paths: readonly ApiPath[], definitions: Definitions, root = ''): object => {
    const { flavour } = definitions;
    const found = definitions.withAll(contentTypes(paths));
    return documentOf(documentPart(paths, kindsOfRoot(found, root), flavour), flavour);
  };
  const paths = apiPaths(made, source);
  const whole = document(paths, v2);
  const documents = new Map<string, Uint8Array>([
    [DOCUMENTS.v2, textOf(whole)],
    [DOCUMENTS.v2Protobuf, documentEncoder(messages)(whole)],
    [DOCUMENTS.shared, textOf(Object.fromEntries(v3.withAll(CUSTOM_REFERENCES)))],
  ]);
  for (const [root, ofRoot] of Map.groupBy(paths, (path) => path.root)) {
    documents.set(DOCUMENTS.v3(root), textOf(document(ofRoot, v3, root)));
  }
  return packDocuments(documents);
}

function textOf(document: object): Uint8Array {
  return Buffer.from(JSON.stringify(document));
}

const OWN_KINDS_ALONE = ownRelease().has('kindsOfOwnVersions');

/** In the document of a group version, kinds that each of them has are told of it and of `v1`. */
function kindsOfRoot(definitions: ReadonlyMap<string, Definition>, root: string): Definition[] {
  if (root === '' || !OWN_KINDS_ALONE) return [...definitions.values()];
  const groupVersion = root.replace(/^apis?\//, '');
  return Array.from(definitions, ([type, definition]) => {
    if (!COMMON_KINDS.some((kind) => type === `meta.v1.${kind}`)) return definition;
    const kinds = definition.schema[KINDS] as readonly GroupVersionKind[];
    const own = kinds.filter(({ group, version }) =>
      ['v1', groupVersion].includes(groupVersionOf({ group, version })),
    );
    return { ...definition, schema: { ...definition.schema, [KINDS]: own } };
  });
}
