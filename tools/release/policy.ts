/**
 * Compares the roles and bindings of a start with those that the sources of a release publish:
 * `npm run check:policy -- FOLDER…`, each FOLDER a copy of the sources named `…@v1.27.16`. Prints
 * what differs, and for each release the digests that the tests keep.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chooseDialect } from '../../src/semantics/dialect/own-names.ts';
import { parseFeatureGates } from '../../src/release/feature-gates.ts';
import { parseRelease } from '../../src/release/release.ts';
import {
  asDocuments,
  policyDigest,
  policyFacts,
  type PolicyDocument,
} from '../../test/support/policy-facts.ts';

type Facts = ReadonlyMap<string, string>;

const TEST_DATA = 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata';
const FILES = [
  'cluster-roles',
  'controller-roles',
  'cluster-role-bindings',
  'controller-role-bindings',
  'namespace-roles',
  'namespace-role-bindings',
];
/** The cluster roles with all alpha and beta features; the controllers' are not published so. */
const WITH_FEATURES = 'cluster-roles-featuregates';

chooseDialect('k8s.io');
const { bootstrapPolicy } = await import('../../src/auth/bootstrap-policy/bootstrap-policy.ts');

function published(folder: string, files: readonly string[]): Facts {
  const lists = files.map((file) => {
    const text = readFileSync(join(folder, TEST_DATA, `${file}.yaml`), 'utf8');
    return (parse(text) as { readonly items: readonly PolicyDocument[] }).items;
  });
  return policyFacts(lists.flat());
}

function ours(minorText: string, pairs: string): Facts {
  const release = parseRelease(minorText);
  const gates = parseFeatureGates(pairs, release);
  return policyFacts(asDocuments(bootstrapPolicy({ minor: release.minor, gates })));
}

/** Prints what differs; gives how many objects do. */
function compare(what: string, wanted: Facts, made: Facts): number {
  const names = new Set([...wanted.keys(), ...made.keys()]);
  const different = [...names].filter((name) => wanted.get(name) !== made.get(name));
  for (const name of different) {
    console.log(`${what} ${name}\n  published ${wanted.get(name)}\n  made      ${made.get(name)}`);
  }
  return different.length;
}

let differences = 0;
for (const folder of process.argv.slice(2)) {
  const version = /@(v1\.\d+\.\d+)\/?$/.exec(folder)?.[1];
  if (version === undefined) throw new Error(`${folder} does not end in a version: …@v1.27.16`);
  const wanted = published(folder, FILES);
  const all = ours(version, 'AllAlpha=true,AllBeta=true');
  differences += compare(version, wanted, ours(version, ''));
  if (existsSync(join(folder, TEST_DATA, `${WITH_FEATURES}.yaml`))) {
    const roles = published(folder, [WITH_FEATURES]);
    const made = new Map([...all].filter(([name]) => roles.has(name)));
    differences += compare(`${version} with all features`, roles, made);
  }
  console.log(`${version} ${wanted.size} ${policyDigest(wanted)} ${policyDigest(all)}`);
}
process.exitCode = differences === 0 ? 0 : 1;
