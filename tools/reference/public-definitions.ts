/** The definitions of custom resources that public projects publish, from the Go module proxy. */
import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { OptionsError } from '../flags.ts';

// oxlint-disable-next-line no-explicit-any -- schemas are looked into
export type SchemaJson = any;

export interface PublicDefinition {
  /** `cert-manager v1.21.2`. */
  readonly origin: string;
  readonly document: DefinitionDocument;
}

export interface DefinitionDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly subresources?: { readonly status?: object; readonly scale?: object };
      readonly schema?: { readonly openAPIV3Schema?: SchemaJson };
    }[];
  };
}

/** Modules, and where in each the definitions are. */
const MODULES = [
  ['github.com/cert-manager/cert-manager@v1.21.2', 'deploy/crds/*.yaml'],
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/experimental/*.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/*.yaml',
  ],
  ['sigs.k8s.io/cluster-api@v1.14.2', '**/config/crd/bases/*.yaml'],
] as const;

const run = promisify(execFile);

/** Fetched when Go's module cache has them not yet. Throws OptionsError when they cannot be. */
export async function publicDefinitions(): Promise<PublicDefinition[]> {
  const found: PublicDefinition[] = [];
  for (const [module, files] of MODULES) {
    const folder = await moduleFolder(module);
    const origin = module.slice(module.lastIndexOf('/') + 1).replace('@', ' ');
    const paths: string[] = [];
    for await (const path of glob(files, { cwd: folder })) paths.push(path);
    for (const path of paths.toSorted()) {
      const text = await readFile(join(folder, path), 'utf8');
      const documents = parseAllDocuments(text).map((document) => document.toJS());
      const definitions = documents.filter((one) => one?.kind === 'CustomResourceDefinition');
      found.push(...definitions.map((document) => ({ origin, document })));
    }
  }
  return found;
}

async function moduleFolder(module: string): Promise<string> {
  // Outside of any module of Go, and whatever release of Go the module asks for: it is only read.
  const options = { cwd: tmpdir(), env: { ...process.env, GOFLAGS: '-mod=mod' } };
  try {
    const { stdout } = await run('go', ['mod', 'download', '-json', module], options);
    return (JSON.parse(stdout) as { Dir: string }).Dir;
  } catch (error) {
    throw new OptionsError(`cannot fetch ${module}: ${(error as Error).message}`);
  }
}
