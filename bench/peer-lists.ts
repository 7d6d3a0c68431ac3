/** Lists beside a peer: whole ones in each form, in pages, and the first after a start. */
import { expectEqual, withStartedAgain } from './bench.ts';
import type { Bench } from './bench.ts';
import type { BenchTarget } from './bench-target.ts';
import { costOf, type Cost } from './comparison.ts';
import { filledNamespace, measureSides, sideRow, type Sides } from './peer-sides.ts';
import { residentOf, type Resident } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import type { FormName } from './representation-forms.ts';
import { median } from './statistics.ts';

const PLAIN_FORMS = ['JSON', 'Table', 'protobuf'] as const satisfies readonly FormName[];
const PACKED_FORMS = [
  'JSON with gzip',
  'Table with gzip',
  'protobuf with gzip',
] as const satisfies readonly FormName[];
/** In the first round compilers have seen nothing yet: it warms up more than the others. */
const FIRST_WARM_UPS = 3;
const WARM_UPS = 1;
const LISTS = 2;

type Sizes = Map<BenchTarget, number>;

/** Whole lists on one connection: of Pods in all forms, of ConfigMaps of 1 KB as JSON. */
export async function wholeLists(sides: Sides): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const form of [...PLAIN_FORMS, ...PACKED_FORMS]) {
    rows.push(await listRow(sides, 'newPod', form));
  }
  return [...rows, await listRow(sides, 'configmap', 'JSON')];
}

async function listRow(
  sides: Sides,
  kind: 'newPod' | 'configmap',
  form: FormName,
): Promise<ResultRow> {
  const { options, own, peer } = sides;
  const count = options.listObjects;
  const namespace = await fillBoth(sides, count, kind);
  const sizes: Sizes = new Map();
  const costs = await measureSides(sides, async (side, round) => {
    const warmUps = round === 0 ? FIRST_WARM_UPS : WARM_UPS;
    const job = { ...side.target(), namespace, kind, form, warmUps, lists: LISTS };
    const { result, serverCpuMs } = await side.load.measure('readForm', job);
    expectEqual(result.items, count, `items of a list in ${form}`);
    sizes.set(side, result.bodyBytes);
    return costOf(LISTS, (median(result.milliseconds) * LISTS) / 1_000, serverCpuMs);
  });
  const of = kind === 'newPod' ? 'Pods' : 'ConfigMaps';
  return {
    ...sideRow(`list of ${count} ${of}: ${form}`, sides, costs),
    ...sizeColumns(sizes, own, peer),
  };
}

/** A long list in pages, and the memory after that and a whole list in each form. */
export async function pagedLists(sides: Sides): Promise<ResultRow[]> {
  const { options, own, peer } = sides;
  const { peerPageObjects: count, pageLimit: limit } = options;
  const namespace = await fillBoth(sides, count);
  const rows: ResultRow[] = [];
  for (const form of PLAIN_FORMS) {
    const sizes: Sizes = new Map();
    const costs = await measureSides(sides, async (side) => {
      const job = { ...side.target(), namespace, kind: 'newPod', form, limit } as const;
      const { result, serverCpuMs } = await side.load.measure('readFormPages', job);
      expectEqual(result.items, count, `items of the pages in ${form}`);
      sizes.set(side, result.bodyBytes);
      const milliseconds = result.milliseconds.reduce((sum, ms) => sum + ms, 0);
      return costOf(1, milliseconds / 1_000, serverCpuMs);
    });
    rows.push({
      ...sideRow(`${count} Pods in pages of ${limit}: ${form}`, sides, costs),
      ...sizeColumns(sizes, own, peer),
    });
  }
  for (const form of PLAIN_FORMS) {
    for (const side of [own, peer]) await readOnce(side, namespace, form, count);
  }
  return [...rows, memoryRow(`memory with ${count} Pods after lists in all forms`, own, peer)];
}

/**
 * The first list after a start of ours in each form. The peer is not ours to restart: beside it
 * stands a list that is not its first.
 */
export async function firstLists(sides: Sides, secure: boolean): Promise<ResultRow[]> {
  const { options, own, peer } = sides;
  const count = options.listObjects;
  const namespace = await fillBoth(sides, count);
  const rows: ResultRow[] = [];
  for (const form of PLAIN_FORMS) {
    const ownCosts: Cost[] = [];
    const peerCosts: Cost[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const first = async (started: Bench): Promise<void> => {
        ownCosts.push(await readOnce(started, namespace, form, count));
      };
      await withStartedAgain(options, own, first, { secure });
      peerCosts.push(await readOnce(peer, namespace, form, count));
    }
    const scenario = `first list of ${count} Pods after a start, a later one of the peer: ${form}`;
    rows.push(sideRow(scenario, sides, { own: ownCosts, peer: peerCosts }));
  }
  return rows;
}

async function fillBoth(
  { own, peer }: Sides,
  count: number,
  kind: 'newPod' | 'configmap' = 'newPod',
): Promise<string> {
  await filledNamespace(own, count, kind);
  return filledNamespace(peer, count, kind);
}

async function readOnce(
  side: BenchTarget,
  namespace: string,
  form: FormName,
  count: number,
): Promise<Cost> {
  const job = { ...side.target(), namespace, kind: 'newPod', form, warmUps: 0, lists: 1 } as const;
  const { result, serverCpuMs } = await side.load.measure('readForm', job);
  expectEqual(result.items, count, `items of a list in ${form}`);
  return costOf(1, (result.milliseconds[0] ?? 0) / 1_000, serverCpuMs);
}

function sizeColumns(
  sizes: Sizes,
  own: BenchTarget,
  peer: BenchTarget,
): Omit<ResultRow, 'scenario'> {
  return { MB: (sizes.get(own) ?? 0) / 1e6, 'peer MB': (sizes.get(peer) ?? 0) / 1e6 };
}

function memoryRow(scenario: string, own: BenchTarget, peer: BenchTarget): ResultRow {
  const columns = (resident: Resident, prefix: string): Omit<ResultRow, 'scenario'> => ({
    [`${prefix}RSS MB`]: resident.rssMb,
    [`${prefix}PSS MB`]: resident.pssMb,
    [`${prefix}anon MB`]: resident.anonMb,
  });
  const ours = residentOf(own.pids);
  const row = { scenario, ...columns(ours, '') };
  if (peer.pids.length === 0) return row;
  const theirs = residentOf(peer.pids);
  return { ...row, ...columns(theirs, 'peer '), 'times as small': theirs.pssMb / ours.pssMb };
}
