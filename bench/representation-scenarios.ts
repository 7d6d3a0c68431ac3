/** Objects in each form that they can be asked for in, beside JSON. */
import { expectEqual, pause, withServer, withStartedAgain } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import {
  compareInTurn,
  costOf,
  medianOf,
  ratioOf,
  requestCost,
  warmUpOf,
  type Cost,
} from './comparison.ts';
import { COUNTER_DIGITS, NAME_MARK, OBJECT_TEXTS } from './object-texts.ts';
import type { ResultRow } from './report.ts';
import { protobufBody } from './representation-bodies.ts';
import { expectForm } from './representation-checks.ts';
import { acceptsGzip, FORMS, type FormName } from './representation-forms.ts';
import { median } from './statistics.ts';

const CONNECTIONS = 64;
const ALL_FORMS = Object.keys(FORMS) as FormName[];
/** A short answer is not packed. */
const OBJECT_FORMS = ALL_FORMS.filter((form) => !acceptsGzip(form));
const WARM_UP_LISTS = 2;

interface Lists {
  readonly cost: Cost;
  readonly items: number;
  readonly bodyBytes: number;
}

/** A long list in each form: the first one after a start, and later ones. */
export async function listForms(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (filled) => {
    await filled.fill(options.listObjects);
    const cold = new Map<FormName, Lists>();
    let warmRows: ResultRow[] = [];
    for (const form of ['JSON', 'protobuf'] as const) {
      const readCold = async (bench: Bench): Promise<void> => {
        await pause(Math.min(1, options.seconds));
        cold.set(form, await readLists(bench, form, 0, 1));
        if (form === 'protobuf') warmRows = await warmListRows(bench, options);
      };
      await withStartedAgain(options, filled, readCold);
    }
    const base = cold.get('JSON');
    const coldRows = [...cold].map(([form, lists]) =>
      listRow(`${form}, the first after a start`, lists, [lists.cost], [base?.cost ?? lists.cost]),
    );
    return [...coldRows, ...warmRows];
  });
}

async function warmListRows(bench: Bench, options: BenchOptions): Promise<ResultRow[]> {
  const { rounds, lists, listObjects } = options;
  const last = new Map<FormName, Lists>();
  const costs = await compareInTurn(rounds, ALL_FORMS, async (form) => {
    const read = await readLists(bench, form, WARM_UP_LISTS, Math.ceil(lists / rounds));
    last.set(form, read);
    return read.cost;
  });
  const base = costs.get('JSON') ?? [];
  const items = last.get('JSON')?.items ?? 0;
  if (items < listObjects) throw new Error(`a list had ${items} items`);
  const rows: ResultRow[] = [];
  for (const [form, read] of last) {
    expectEqual(read.items, items, `items of a list in ${form}`);
    await expectForm(bench, form, `${collectionOf(bench)}?limit=1000`, true);
    rows.push(listRow(form, read, costs.get(form) ?? [], base));
  }
  return rows;
}

async function readLists(
  bench: Bench,
  form: FormName,
  warmUps: number,
  lists: number,
): Promise<Lists> {
  const job = { ...bench.target(), form, warmUps, lists };
  const { result, serverCpuMs } = await bench.load.measure('readForm', job);
  const { milliseconds, items, bodyBytes } = result;
  const cost = costOf(lists, (median(milliseconds) * lists) / 1_000, serverCpuMs);
  return { cost, items, bodyBytes };
}

function listRow(
  name: string,
  { items, bodyBytes }: Lists,
  costs: readonly Cost[],
  base: readonly Cost[],
): ResultRow {
  return {
    scenario: `list of ${items}: ${name}`,
    'list ms': medianOf(costs, 'seconds') * 1_000,
    'body MB': bodyBytes / 1e6,
    'server ms/list': medianOf(costs, 'serverMs'),
    ...ratios(costs, base),
  };
}

/** How many times what JSON took. */
function ratios(costs: readonly Cost[], base: readonly Cost[]): Omit<ResultRow, 'scenario'> {
  return {
    'time/JSON': ratioOf(costs, base, 'seconds'),
    'CPU/JSON': ratioOf(costs, base, 'serverMs'),
  };
}

function collectionOf(bench: Bench): string {
  return OBJECT_TEXTS.configmap.collection(bench.target().namespace);
}

function objectPath(bench: Bench, number: number): string {
  return `${collectionOf(bench)}/cm-${String(number).padStart(COUNTER_DIGITS, '0')}`;
}

/** One object in each form. */
export async function getForms(options: BenchOptions): Promise<ResultRow[]> {
  const { listObjects: objects, rounds, roundSeconds: seconds } = options;
  return withServer(options, async (bench) => {
    await bench.fill(objects);
    const bytes = new Map<FormName, number>();
    const costs = await compareInTurn(rounds, OBJECT_FORMS, async (form, round) => {
      if (round === 0) await expectForm(bench, form, objectPath(bench, 0));
      const warmUpSeconds = warmUpOf(options, round);
      const job = { verb: 'get', form, connections: CONNECTIONS, objects } as const;
      const measured = await bench.closedLoop({ ...job, warmUpSeconds, seconds });
      bytes.set(form, measured.result.bodyBytes / Math.max(1, measured.result.requests));
      return requestCost(measured);
    });
    return requestRows('get', costs, (form) => ({
      'answer bytes': Math.round(bytes.get(form) ?? 0),
    }));
  });
}

function requestRows(
  verb: string,
  costs: ReadonlyMap<FormName, readonly Cost[]>,
  more: (form: FormName) => Omit<ResultRow, 'scenario'>,
): ResultRow[] {
  const base = costs.get('JSON') ?? [];
  return [...costs].map(([form, own]) => ({
    scenario: `${verb}, ${CONNECTIONS} connections: ${form}`,
    'rate/s': Math.round(1 / medianOf(own, 'seconds')),
    'server µs/req': medianOf(own, 'serverMs') * 1_000,
    ...more(form),
    ...ratios(own, base),
  }));
}

const WRITTEN_KINDS = ['configmap', 'newPod'] as const;
type WrittenKind = (typeof WRITTEN_KINDS)[number];
const UPDATED_OBJECTS = 100;

/** Writes whose bodies and answers are in protobuf, beside those in JSON. */
export async function writeForms(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    const rows: ResultRow[] = [];
    for (const kind of WRITTEN_KINDS) {
      await bench.fill(UPDATED_OBJECTS, { kind });
      for (const verb of ['create', 'update'] as const) {
        rows.push(...(await formsOfWrite(bench, options, verb, kind)));
      }
    }
    return rows;
  });
}

async function formsOfWrite(
  bench: Bench,
  options: BenchOptions,
  verb: 'create' | 'update',
  kind: WrittenKind,
): Promise<ResultRow[]> {
  const { objectBytes, rounds, roundSeconds: seconds } = options;
  const { namespace } = bench.target();
  const { apiKind, text } = OBJECT_TEXTS[kind];
  const body = protobufBody(kind, namespace, objectBytes);
  let firstObject = UPDATED_OBJECTS;
  const forms = ['JSON', 'protobuf'] as const;
  const costs = await compareInTurn<FormName>(rounds, forms, async (form, round) => {
    const measured = await bench.closedLoop({
      verb,
      kind,
      connections: CONNECTIONS,
      form,
      ...(form === 'protobuf' ? { body } : {}),
      firstObject,
      objects: UPDATED_OBJECTS,
      warmUpSeconds: warmUpOf(options, round),
      seconds,
    });
    await expectWritten(bench, kind, verb === 'create' ? firstObject : 0);
    firstObject = measured.result.nextObject;
    return requestCost(measured);
  });
  return requestRows(`${verb} of a ${apiKind}`, costs, (form) => ({
    'body bytes': form === 'protobuf' ? body.length : text(namespace, objectBytes).length,
  }));
}

/** Throws unless the object has what was sent, in whatever form. */
async function expectWritten(bench: Bench, kind: WrittenKind, number: number): Promise<void> {
  const { collection, name } = OBJECT_TEXTS[kind];
  const digits = String(number).padStart(COUNTER_DIGITS, '0');
  const path = `${collection(bench.target().namespace)}/${name.replace(NAME_MARK, digits)}`;
  const { data, metadata } = (await bench.expectStatus(200, path)) as WrittenObject;
  const content = kind === 'configmap' ? data?.counter : metadata.annotations?.revision;
  if (content?.length !== COUNTER_DIGITS) throw new Error(`${path} is not what was sent`);
}

interface WrittenObject {
  readonly metadata: { readonly annotations?: { readonly revision: string } };
  readonly data?: { readonly counter: string };
}
