/**
 * The documents of OpenAPI of built-in types, which fronts ask the main thread for
 * (src/front/openapi/document-pack.ts): they are made once for all of them.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobPool } from '../actors/job-pool.ts';
import { documentsFile } from '../base/built-files.ts';
import { MadeOnce } from '../base/turns/made-once.ts';
import type { Config } from '../config/config.ts';
import { DEFAULT_GATES } from '../release/own-gates.ts';
import { enabledApi, type ServedApi } from '../types/runtime-config.ts';
import type { DescriptionJob } from './describe-api.ts';

const WITHOUT_RIGHT = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Who may not write there makes them again at the next start. */
async function keep(file: string, documents: Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.new`;
  try {
    await writeFile(temporary, documents);
    await rename(temporary, file);
  } catch (error) {
    if (!WITHOUT_RIGHT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function namesOf({ types, virtualKinds }: ServedApi): string {
  const stored = types.map(({ groupVersion, definition }) => `${groupVersion} ${definition.kind}`);
  return [...stored, ...virtualKinds.map(({ version, kind }) => `${version} ${kind}`)].join();
}

export class ApiDescription {
  readonly #job: DescriptionJob;
  readonly #made = new MadeOnce(() => this.#make());

  constructor(config: Config, buildDir: string) {
    const { apiDomain, release, runtimeConfig, featureGates } = config;
    this.#job = { apiDomain, release, runtimeConfig, featureGates, buildDir };
  }

  /** Those of what a release serves by default are made once for all starts. */
  async documents(): Promise<Uint8Array> {
    if (!this.#servesDefault()) return this.#made.get();
    const { apiDomain, release, buildDir } = this.#job;
    const file = join(buildDir, documentsFile(apiDomain, release));
    try {
      return await readFile(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      const documents = await this.#made.get();
      await keep(file, documents);
      return documents;
    }
  }

  #servesDefault(): boolean {
    const usual = enabledApi({ runtimeConfig: '', featureGates: DEFAULT_GATES });
    return namesOf(enabledApi(this.#job)) === namesOf(usual);
  }

  /** The thread ends with it: it is needed once. */
  async #make(): Promise<Uint8Array> {
    const jobs = new JobPool(join(this.#job.buildDir, 'worker.js'));
    try {
      return (await jobs.run('describeApi', this.#job)) as Uint8Array;
    } finally {
      await jobs.stop();
    }
  }
}
