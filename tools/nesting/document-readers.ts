/** Readers of documents beside the shards: texts of files, patches, owners, answers of webhooks. */
import { readYamlText } from '../../src/codec/yaml/yaml-body.ts';
import { operatorYaml } from '../../src/codec/yaml/operator-yaml.ts';
import { JsonIndenter } from '../../src/codec/json/json-indent.ts';
import { jsonSyntaxError } from '../../src/codec/json/json-syntax.ts';
import { yamlText } from '../../src/codec/yaml/yaml-text.ts';
import { definitionErrors } from '../../src/cluster/definition-job.ts';
import { memberChecks } from '../../src/conversion/check-members.ts';
import { convertText } from '../../src/conversion/convert-manifests.ts';
import { AuditedJson } from '../../src/front/audited-json.ts';
import { ReviewReader } from '../../src/admission/plugins/webhooks/admission-review.ts';
import { readAnnotation } from '../../src/resources/autoscaling/annotation-json.ts';
import { readJsonWebToken, repeatedMember } from '../../src/auth/authentication/json-web-token.ts';
import { swapDocument, swapJsonPatch } from '../../src/semantics/dialect/json-edits.ts';
import { parseFieldsV1, union } from '../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../src/semantics/fields/field-set-text.ts';
import { documentText } from '../../src/semantics/patch/document.ts';
import { applyJsonPatch, parseJsonPatch } from '../../src/semantics/patch/json-patch.ts';
import { applyMergePatch, parseMergePatch } from '../../src/semantics/patch/merge-patch.ts';
import { convertedObjects } from '../../src/types/custom/conversion-review.ts';
import { readDocumentMessages } from '../read-proto.ts';
import { documentEncoder } from '../../src/front/openapi/binary-document.ts';
import { bytesOf, documents, parsed } from '../../test/front/openapi/documents-under-test.ts';
import { definitionOf, versionFacts } from '../../test/support/custom-facts.ts';
import { join } from 'node:path';
import { isSchema, model } from './shard-readers.ts';
import type { Reader } from './reader.ts';

const audited = new AuditedJson(() => model);
const reviews = new ReviewReader(model);
const check = memberChecks(model);

function outcomeOf(read: () => unknown): string {
  try {
    const result = read();
    return typeof result === 'string' ? result.slice(0, 60) : 'read';
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return String((error as Error).message).slice(0, 120);
  }
}

const REVIEW = {
  uid: 'u',
  version: 'v1',
} as const;

/** Heads, and bodies of reviews, have no more. */
const TOKEN_CHARACTERS_MAX = 64 * 1024;
const TARGET = { a: { a: [1, { a: 1 }] }, x: 1 };

const JSON_READS: Readonly<Record<string, (text: string) => unknown>> = {
  'syntax of JSON': jsonSyntaxError,
  'JSON in YAML': yamlText,
  'indented JSON': (text) => new JsonIndenter().push(Buffer.from(text)).length,
  'names in both dialects': (text) => {
    return swapDocument('ConfigMap', `{"metadata":{"annotations":{"a.cluster.io/b":${text}}}}`);
  },
  'JSON patches': (text) => {
    return documentText(applyJsonPatch(structuredClone(TARGET), parseJsonPatch(text)));
  },
  'values of JSON patches': (text) => {
    const added = `{"op":"add","path":"/x","value":${text}}`;
    const patch = `[${added},{"op":"copy","from":"/x","path":"/a/a/0"}]`;
    const swapped = swapJsonPatch('Pod', patch);
    return documentText(applyJsonPatch(structuredClone(TARGET), parseJsonPatch(swapped)));
  },
  'merge patches': (text) => {
    return documentText(applyMergePatch(structuredClone(TARGET), parseMergePatch(text)));
  },
  'audited JSON': (text) => audited.textOf(Buffer.from(text), 'yaml'),
  'JSON in annotations': (text) => readAnnotation(text, [{ a: ['string'] }]),
  tokens: (text) => {
    const parts = ['{"alg":"RS256"}', `{"a":${text}}`, 'x'];
    const token = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
    if (token.length > TOKEN_CHARACTERS_MAX) return 'too long';
    const read = readJsonWebToken(token);
    return read && repeatedMember(read.payload, 2);
  },
  'answers of admission webhooks': (text) => {
    const answer = `{"kind":"AdmissionReview","response":{"uid":"u","allowed":true,"x":${text}}}`;
    return reviews.read(answer, REVIEW, true);
  },
  'answers of conversion webhooks': (text) => {
    const object = `{"apiVersion":"a/v2","kind":"A","metadata":{"name":"a"},"spec":${text}}`;
    const response = `{"uid":"u","convertedObjects":[${object}],"result":{"status":"Success"}}`;
    const type = '"kind":"ConversionReview","apiVersion":"apiextensions.cluster.io/v1"';
    const answer = `{${type},"response":${response}}`;
    const sent = { kind: 'A', apiVersion: 'a/v1', metadata: { name: 'a' } };
    return convertedObjects(answer, { ...REVIEW, desiredAPIVersion: 'a/v2' }, [sent]).length;
  },
  'manifests in JSON': (text) => {
    const manifest = `{"apiVersion":"apps/v1beta1","kind":"Deployment","x":${text}}`;
    return convertText(manifest, { outputVersion: '', dialect: 'cluster.io', check }).text;
  },
};

const YAML_READS: Readonly<Record<string, (text: string) => unknown>> = {
  YAML: (text) => readYamlText(text, true).json,
  'files of the operator': operatorYaml,
  'audited YAML': (text) => audited.textOf(Buffer.from(text), 'yaml'),
  'manifests in YAML': (text) => {
    const manifest = `apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}\n${text}`;
    return convertText(manifest, { outputVersion: '', dialect: 'cluster.io', check }).text;
  },
};

function ofFields(text: string): string {
  const set = parseFieldsV1(JSON.parse(text));
  return fieldsV1Text(union(set, parseFieldsV1(JSON.parse('{"f:b":{}}'))));
}

let encode: ((document: object) => Uint8Array) | undefined;

/** Publishes a schema as clients see it, in all versions. */
async function published(schemaText: string): Promise<string> {
  if (!isSchema(schemaText)) return 'no schema';
  encode ??= documentEncoder(readDocumentMessages(join(import.meta.dirname, '../../proto')));
  const text = `{"type":"object","properties":{"a":${schemaText}}}`;
  const thing = definitionOf('Thing', { versions: [versionFacts('v1', { schemaText: text })] });
  const made = documents.with([thing]);
  const binary = encode(parsed(await made.v2()) as object);
  const v3 = await made.v3('apis/example.com/v1');
  return `${binary.length} ${v3 && bytesOf(v3).length}`;
}

export const DOCUMENT_READERS: readonly Reader[] = [
  ...Object.entries(JSON_READS).map(([name, read]): Reader => {
    return { name, format: 'json', read: (text) => outcomeOf(() => read(text)) };
  }),
  ...Object.entries(YAML_READS).flatMap(([name, read]): Reader[] => [
    { name, format: 'yaml', read: (text) => outcomeOf(() => read(text)) },
    { name: `${name} in lines`, format: 'yamlLines', read: (text) => outcomeOf(() => read(text)) },
  ]),
  { name: 'sets of fields', format: 'fields', read: (text) => outcomeOf(() => ofFields(text)) },
  {
    name: 'values in sets of fields',
    format: 'json',
    read: (text) => {
      const ofItem = (brand: string): string => JSON.stringify({ [brand]: {} });
      return outcomeOf(() => ofFields(ofItem(`v:${text}`)) + ofFields(ofItem(`k:{"a":${text}}`)));
    },
  },
  {
    name: 'checks of definitions',
    format: 'schema',
    read: (text) => {
      const schema = `{"openAPIV3Schema":${text}}`;
      const version = `{"name":"v1","served":true,"storage":true,"schema":${schema}}`;
      const names = '"group":"example.com","scope":"Cluster","names":{"plural":"as","kind":"A"}';
      const spec = `{${names},"versions":[${version}]}`;
      const members = `"metadata":{"name":"as.example.com"},"spec":${spec}}`;
      return outcomeOf(() => String(definitionErrors(members, () => model).length));
    },
  },
  { name: 'published schemas', format: 'schema', read: published },
];
