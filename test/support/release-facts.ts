/**
 * Writes the facts that the documents of a release have here, as JSON; in a process of its own,
 * which behaves like that release. `VERSION` is that of discovery in
 * one document. Usage: node test/support/release-facts.ts MINOR VERSION
 */
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackDocuments } from '../../src/front/openapi/document-pack.ts';
import { parseFeatureGates } from '../../src/release/feature-gates.ts';
import { chooseRelease, ownRelease } from '../../src/release/release.ts';
import { chooseDialect } from '../../src/semantics/dialect/own-names.ts';
import type { Documents } from '../../tools/release/documents.ts';
import { documentFacts } from '../../tools/release/document-facts.ts';
import { isJson, type Json } from '../../tools/release/facts.ts';

const [minor, form] = process.argv.slice(2);
chooseDialect('k8s.io');
chooseRelease(Number(minor));
const { describeApi } = await import('../../src/cluster/describe-api.ts');
const { aggregatedDocuments, AGGREGATED_VERSIONS } =
  await import('../../src/front/discovery/aggregated-discovery.ts');
const { discoveryDocuments } = await import('../../src/front/discovery/discovery-documents.ts');
const { enabledApi } = await import('../../src/types/runtime-config.ts');

const version = AGGREGATED_VERSIONS.find((known) => known === form) ?? 'v2';
// As the published documents are made.
const settings = {
  runtimeConfig: 'api/all=true',
  featureGates: parseFeatureGates('AllAlpha=true,AllBeta=true', ownRelease()),
};
const buildDir = join(import.meta.dirname, '../../.build');
const packed = unpackDocuments(describeApi({ buildDir, ...settings }));
const served = enabledApi(settings);

function parsed(name: string): Json {
  const { zipped = new Uint8Array() } = packed.get(name) ?? {};
  const value: unknown = JSON.parse(gunzipSync(zipped).toString());
  if (!isJson(value)) throw new Error(`${name} is no document`);
  return value;
}

const V3 = 'v3/';
const documents: Documents = {
  v2: parsed('v2'),
  v3: new Map(
    [...packed.keys()]
      .filter((name) => name.startsWith(V3))
      .map((name) => [name.slice(V3.length), parsed(name)]),
  ),
  discovery: new Map(
    [...discoveryDocuments(served, '')].map(([path, document]) => [path, { ...document }]),
  ),
  aggregated: { ...aggregatedDocuments(served, version)['/apis'] },
};
process.stdout.write(JSON.stringify([...documentFacts(documents)]));
