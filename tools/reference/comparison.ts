/** A whole comparison of two servers: its parts, one after the other. */
import { comparedFiles } from './compared-files.ts';
import type { ApiClient } from './api-client.ts';
import { servedCollections } from './custom-requests.ts';
import { installDefinitions, removeDefinitions, runCustomRequests } from './custom-types.ts';
import { Findings } from './findings.ts';
import { Lane, type Servers } from './lane.ts';
import { customLeafKind, LEAF_DEFINITION } from './leaves/custom-leaves.ts';
import { insidesOf, leafKinds, type LeafKind } from './leaves/leaf-kinds.ts';
import { countsText, runLeaves, type LeafRun } from './leaves/leaves.ts';
import { runManifests } from './manifests.ts';
import { runOddPaths } from './odd-paths.ts';
import type { CompareOptions, Part } from './options.ts';
import { runPolicies } from './policies/run-policies.ts';
import { publicDefinitions } from './public-definitions.ts';
import { runRandomRequests } from './random-requests.ts';
import { runRows } from './rows.ts';
import { ServerGone } from './server-gone.ts';

/** They change how a server serves all others. */
const EXCLUSIVE_KINDS = new Set([
  'mutatingwebhookconfiguration',
  'validatingwebhookconfiguration',
  'mutatingadmissionpolicy',
  'mutatingadmissionpolicybinding',
  'validatingadmissionpolicy',
  'validatingadmissionpolicybinding',
  'flowschema',
  'prioritylevelconfiguration',
]);
/** Files of rows at a time. */
const ROW_LANES = 3;

export class Comparison {
  readonly findings = new Findings();
  readonly #options: CompareOptions;
  readonly #servers: Servers;
  readonly #run: string;
  #isEnded = false;

  /** `run` is part of all names that it makes: lower-case letters and digits. */
  constructor(options: CompareOptions, servers: Servers, run: string) {
    this.#options = options;
    this.#servers = servers;
    this.#run = run;
  }

  /** Ends the run early, with its clean-up. */
  interrupt(): void {
    this.#isEnded = true;
  }

  async run(progress: (line: string) => void): Promise<void> {
    await this.#checkServers();
    const parts: Readonly<Record<Part, () => Promise<void>>> = {
      rows: () => this.#rows(),
      manifests: () => this.#inLanes('manifests', 1, (lane) => runManifests(lane)),
      random: () => this.#random(),
      custom: () => this.#custom(),
      paths: () => this.#oddPaths(),
      leaves: () => this.#leaves(progress),
      policies: () => this.#policies(),
    };
    for (const part of this.#options.parts) {
      if (this.#isEnded) return;
      const before = this.findings.compared;
      await parts[part]();
      progress(`${part}: ${this.findings.compared - before} answers compared`);
    }
  }

  async #checkServers(): Promise<void> {
    for (const [name, server] of Object.entries(this.#servers) as [string, ApiClient][]) {
      const { status, text } = await server.get('/apis/coordination.k8s.io/v1');
      if (status === 200) continue;
      const which = name === 'ours' ? 'this' : 'the other';
      const hint = status === 404 ? ': does it speak the k8s.io names?' : '';
      throw new ServerGone(`${which} server answers ${status} ${text.slice(0, 200)}${hint}`);
    }
  }

  readonly #includes = (kind: string): boolean => {
    const { kinds, exclusive } = this.#options;
    const name = kind.toLowerCase();
    if (EXCLUSIVE_KINDS.has(name) && !exclusive) return false;
    return kinds.size === 0 || kinds.has(name);
  };

  async #rows(): Promise<void> {
    const files = (await comparedFiles()).filter(({ cases }) => this.#includes(cases.kind));
    const left = [...files];
    await this.#inLanes('rows', ROW_LANES, async (lane) => {
      for (;;) {
        const file = left.shift();
        if (file === undefined || this.#isEnded) return;
        await runRows(lane, file);
      }
    });
  }

  async #oddPaths(): Promise<void> {
    const { requests } = this.#options;
    await this.#inLanes('paths', 1, (lane) => runOddPaths(lane, requests, () => this.#isEnded));
  }

  async #random(): Promise<void> {
    const { seed, requests, lanes } = this.#options;
    const all = (await comparedFiles()).map(({ cases }) => cases);
    // A name, or addresses and ports, that a kind prescribes in its rows can be there once.
    const shared = all.filter(
      ({ kind, name = (text) => text }) => kind !== 'Service' && name('lane').includes('lane'),
    );
    await this.#inLanes('random', lanes, (lane, index) =>
      runRandomRequests(lane, {
        seed: seed * 1_000 + index,
        requests: Math.ceil(requests / lanes),
        catalogue: index === 0 ? all : shared,
        includes: this.#includes,
        name: `seed ${seed} lane ${index}`,
        isEnded: () => this.#isEnded,
      }),
    );
  }

  async #policies(): Promise<void> {
    const { seed, requests, lanes } = this.#options;
    await this.#inLanes('policies', lanes, (lane, index) =>
      runPolicies(lane, {
        seed: seed * 1_000 + index,
        requests: Math.ceil(requests / lanes),
        name: `seed ${seed} lane ${index}`,
        isEnded: () => this.#isEnded,
      }),
    );
  }

  async #leaves(progress: (line: string) => void): Promise<void> {
    const { lanes, from } = this.#options;
    const cases = (await comparedFiles()).map((file) => file.cases);
    const run = {
      insides: insidesOf(leafKinds(cases, () => true)),
      isEnded: () => this.#isEnded,
    };
    const tried = [...leafKinds(cases, this.#includes), customLeafKind()].filter(
      ({ kind }) => kind.toLowerCase() >= from && this.#includes(kind),
    );
    // Versions of one kind come one after the other: some have a name that is prescribed.
    const left = [...Map.groupBy(tried, ({ kind }) => kind)].toSorted(byKind);
    await this.#withLanes('leaves', lanes, async (opened) => {
      const [owner] = opened;
      if (owner === undefined) return;
      const definitions = [{ origin: 'the definition of the leaves', document: LEAF_DEFINITION }];
      const hasCustom = tried.some(({ kind }) => kind === LEAF_DEFINITION.spec.names.kind);
      const installed = hasCustom ? await installDefinitions(owner, definitions) : [];
      try {
        await this.#all(opened.map((lane) => this.#leavesOf(lane, left, run, progress)));
      } finally {
        await removeDefinitions(owner, installed);
      }
    });
  }

  async #leavesOf(
    lane: Lane,
    left: [kind: string, versions: LeafKind[]][],
    run: LeafRun,
    progress: (line: string) => void,
  ): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      for (const kind of next[1]) {
        if (this.#isEnded) return;
        const counts = await runLeaves(lane, kind, run);
        if (!this.#isEnded) progress(countsText(kind, counts));
      }
    }
  }

  async #custom(): Promise<void> {
    const { seed, requests, lanes } = this.#options;
    const all = await publicDefinitions();
    const definitions = all.filter(({ document }) => this.#includes(document.spec.names.kind));
    await this.#withLanes('custom', lanes, async (opened) => {
      const [owner] = opened;
      if (owner === undefined) return;
      const installed = await installDefinitions(owner, definitions);
      const run = (lane: Lane, index: number): Promise<void> =>
        runCustomRequests(lane, {
          seed: seed * 1_000 + index,
          requests: Math.ceil(requests / lanes),
          name: `seed ${seed} lane ${index}`,
          collections: installed.flatMap((one) => servedCollections(one, lane.namespace)),
          isEnded: () => this.#isEnded,
        });
      try {
        await this.#all(opened.map(run));
      } finally {
        await removeDefinitions(owner, installed);
      }
    });
  }

  /** Runs the work in each lane, and cleans up also when it fails. */
  async #inLanes(
    name: string,
    count: number,
    work: (lane: Lane, index: number) => Promise<void>,
  ): Promise<void> {
    await this.#withLanes(name, count, (lanes) => this.#all(lanes.map(work)));
  }

  /** Runs the work with lanes that are there until it has ended. */
  async #withLanes(
    name: string,
    count: number,
    work: (lanes: readonly Lane[]) => Promise<void>,
  ): Promise<void> {
    const lanes = Array.from(
      { length: count },
      (_, index) => new Lane(this.#servers, `cmp${this.#run}-${name}-${index}`, this.findings),
    );
    try {
      await this.#all(lanes.map((lane) => lane.open()));
      await work(lanes);
    } finally {
      await this.#all(lanes.map((lane) => lane.close()));
    }
  }

  /** Waits for all of them, and ends the run when one fails. */
  async #all(parts: readonly Promise<void>[]): Promise<void> {
    const watched = parts.map((part) =>
      part.catch((error: unknown) => {
        this.#isEnded = true;
        throw error;
      }),
    );
    const ended = await Promise.allSettled(watched);
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

function byKind([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
