/** The files of `test/catalogue`, and the documents that their rows stand for. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { merged } from '../resources/kind-rules.ts';
import type { Change, KindCases } from './kind-cases.ts';
import type { TestObject } from './kinds.ts';

const FOLDER = join(import.meta.dirname, '../catalogue');

export interface CatalogueFile {
  /** `apps/deployment`. */
  readonly name: string;
  readonly cases: KindCases;
}

/** The files that hold for a server without features, all or those whose names are given. */
export async function catalogueFiles(only: readonly string[] = []): Promise<CatalogueFile[]> {
  const files = await allCatalogueFiles(only);
  return files.filter(({ cases }) => cases.featureGates === undefined);
}

/** And those for a server that is started with features. */
export async function allCatalogueFiles(only: readonly string[] = []): Promise<CatalogueFile[]> {
  const files = await everyCatalogueFile(only);
  return files.filter(({ cases }) => cases.release === undefined);
}

/** Those that hold for another release than the default one. */
export async function catalogueFilesOf(
  minor: number,
  only: readonly string[] = [],
): Promise<CatalogueFile[]> {
  const files = await everyCatalogueFile(only);
  return files.filter(({ cases }) => cases.release === minor);
}

export async function everyCatalogueFile(only: readonly string[] = []): Promise<CatalogueFile[]> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, ''))
    .filter((name) => only.length === 0 || only.includes(name))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const url = pathToFileURL(join(FOLDER, `${name}.ts`)).href;
      const { CASES } = (await import(url)) as { CASES: KindCases };
      return { name, cases: CASES };
    }),
  );
}

/** A whole document: the kind's names, a name, and the members laid over each other. */
export function catalogueDocument(
  cases: KindCases,
  unique: string,
  ...members: readonly Change[]
): TestObject {
  const { apiVersion, kind, name } = cases;
  const base = { apiVersion, kind, metadata: { name: name?.(unique) ?? unique } };
  return members.reduce<unknown>((document, change) => merged(document, change), base);
}

/** An answer's members besides kind, version and metadata. */
export function membersOf(answer: TestObject): TestObject {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...members } = answer;
  return members;
}
