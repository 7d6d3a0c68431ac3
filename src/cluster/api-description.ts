/**
 * The documents of OpenAPI of built-in types, which fronts ask the main thread for
 * (src/front/openapi/document-pack.ts): they are made once for all of them.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobPool } from '../actors/job-pool.ts';
import { documentsFile } from '../base/built-files.ts';
import { MadeOnce } from '../base/turns/made-once.ts';
import type { Config } from '../config/config.ts';
import { KINDS } from '../resources/registry.ts';
import { enabledTypes } from '../types/runtime-config.ts';
import { servedTypes } from '../types/served-types.ts';
import type { DescriptionJob } from './describe-api.ts';

export class ApiDescription {
  readonly #job: DescriptionJob;
  readonly #made = new MadeOnce(() => this.#make());

  constructor({ apiDomain, runtimeConfig }: Config, buildDir: string) {
    this.#job = { apiDomain, runtimeConfig, buildDir };
  }

  /** The build has made those of what is served by default. */
  documents(): Promise<Uint8Array> {
    const { apiDomain, buildDir } = this.#job;
    if (this.#servesDefault()) return readFile(join(buildDir, documentsFile(apiDomain)));
    return this.#made.get();
  }

  #servesDefault(): boolean {
    const all = servedTypes(KINDS);
    const served = enabledTypes(all, this.#job.runtimeConfig);
    const usual = enabledTypes(all, '');
    return served.length === usual.length && served.every((type, index) => type === usual[index]);
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
