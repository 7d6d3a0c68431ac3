/**
 * One after the other, requests go to both servers at once, and their answers are compared. A lane
 * has a namespace and a prefix of names of its own, so that several run beside each other; where
 * the servers have come apart it removes the object from both and goes on.
 */
import { swapUrl } from '../../src/semantics/dialect/names.ts';
import type { FuzzCase } from '../../test/support/fuzz-cases.ts';
import { isDeep } from '../../test/support/fuzz-patches.ts';
import type { TestObject } from '../../test/support/kinds.ts';
import type { Answer, ApiClient, ApiRequest } from './api-client.ts';
import { removeCollection, removeObject } from './clean-up.ts';
import { collections } from './collections.ts';
import { differencesOf, type Difference } from './differences.ts';
import type { Example, Findings } from './findings.ts';
import { Marks } from './marks.ts';
import { peculiaritiesOf } from './peculiarities.ts';
import { ServerGone } from './server-gone.ts';

export interface Servers {
  readonly ours: ApiClient;
  readonly theirs: ApiClient;
}

/** A request in the names that clients know, with how its answer is to be shown. */
export interface LaneRequest extends FuzzCase {
  readonly accept?: string;
  readonly isRepeatable?: boolean;
  readonly isEndless?: boolean;
}

const BODY_SHOWN_MAX = 4_000;
const ANSWER_SHOWN_MAX = 2_000;
/** Without any answer from one of the servers so often there is nothing to compare. */
const SILENT_MAX = 20;

export class Lane {
  readonly servers: Servers;
  readonly prefix: string;
  readonly namespace: string;
  readonly findings: Findings;
  /** Where objects outside of the namespace may be. */
  readonly #created = new Set<string>();
  /** `<kind> <name>` of what was removed because the servers had come apart, or `<kind>`. */
  readonly #apart = new Set<string>();
  #silent = 0;

  constructor(servers: Servers, prefix: string, findings: Findings) {
    this.servers = servers;
    this.prefix = `${prefix}-`;
    this.namespace = prefix;
    this.findings = findings;
  }

  async open(): Promise<void> {
    const body = JSON.stringify({ metadata: { name: this.namespace } });
    const made = await this.#both({ method: 'POST', path: '/api/v1/namespaces', body });
    for (const { status, text } of made) {
      if (status !== 201) throw new ServerGone(`cannot create a namespace: ${status} ${text}`);
    }
  }

  /** Removes all that the lane has made, from both servers. */
  async close(): Promise<void> {
    const stored = collections(this.namespace).filter(({ namespaced }) => namespaced);
    const { ours, theirs } = this.servers;
    const remove = async (server: ApiClient): Promise<void> => {
      for (const created of this.#created) await removeObject(server, created);
      for (const { path } of stored) await removeCollection(server, swapUrl(path));
      await removeObject(server, `/api/v1/namespaces/${this.namespace}`);
    };
    await Promise.all([remove(ours), remove(theirs)]);
  }

  /**
   * Reads a path on both for a request; undefined when it is on neither. Counts as a request whose
   * answers are compared.
   */
  async read(request: LaneRequest, origin: string, marks: Marks): Promise<TestObject> {
    const answers = await this.#both(request);
    await this.#compare(request, 'get', answers, origin);
    const [ours, theirs] = answers;
    if (ours.status !== 200 || isDeep(ours.text) || ours.json === undefined) return undefined;
    return marks.document(ours.json, theirs.json);
  }

  /** Sends it, compares, and removes from both servers what is different now. */
  async send(
    request: LaneRequest,
    what: string,
    origin: string,
    marks: Marks = new Marks(),
  ): Promise<[ours: Answer, theirs: Answer]> {
    const answers = await this.#both(request, marks);
    await this.#compare(request, what, answers, origin);
    return answers;
  }

  /** Sends what changes nothing, and compares. */
  async look(
    request: LaneRequest,
    what: string,
    origin: string,
    marks?: Marks,
  ): Promise<[ours: Answer, theirs: Answer]> {
    const answers = await this.#both(request, marks);
    this.#tell(request, what, answers, origin);
    return answers;
  }

  /** Whether an object's events may differ since `forget`, because it was removed from both. */
  wasApart(kind: string, name: string): boolean {
    return this.#apart.has(kind) || this.#apart.has(`${kind} ${name}`);
  }

  forget(): void {
    this.#apart.clear();
  }

  /** Whether an object in a list of all is one of this lane. */
  isOwn(metadata: TestObject): boolean {
    const name = String(metadata?.name ?? '');
    return metadata?.namespace === this.namespace || name.startsWith(this.prefix);
  }

  async #both(request: ApiRequest, marks?: Marks): Promise<[ours: Answer, theirs: Answer]> {
    const forServer = (server: 'ours' | 'theirs'): ApiRequest => {
      if (marks === undefined) return request;
      const { path, body } = request;
      return {
        ...request,
        path: marks.textFor(server, path),
        body: typeof body === 'string' ? marks.textFor(server, body) : body,
      };
    };
    const answers = await Promise.all([
      this.servers.ours.ask(forServer('ours')),
      this.servers.theirs.ask(forServer('theirs')),
    ]);
    const silent = answers.find(({ status }) => status === 0);
    this.#silent = silent === undefined ? 0 : this.#silent + 1;
    if (this.#silent > SILENT_MAX) throw new ServerGone(`a server is gone: ${silent?.text}`);
    return answers;
  }

  async #compare(
    request: LaneRequest,
    what: string,
    answers: readonly [Answer, Answer],
    origin: string,
  ): Promise<void> {
    const differences = this.#tell(request, what, answers, origin);
    if (request.method === 'GET' && !differences.some(isOfObject)) return;
    await this.#settle(request, answers, differences);
  }

  #tell(
    request: LaneRequest,
    what: string,
    answers: readonly [Answer, Answer],
    origin: string,
  ): readonly Difference[] {
    const shown = answers.map((answer) => this.#ownPart(request, answer));
    const [ours, theirs] = shown as [Answer, Answer];
    const differences = differencesOf(ours, theirs);
    const { kind, groupVersion } = request;
    const example = (): Example => exampleOf(request, answers, origin);
    const peculiarities = differences.length > 0 ? peculiaritiesOf(request) : [];
    this.findings.add(`${groupVersion} ${kind}`, what, differences, example, peculiarities);
    return differences;
  }

  /** Lists of all namespaces hold what others have made. */
  #ownPart({ method, path }: LaneRequest, answer: Answer): Answer {
    const { json } = answer;
    const part = ['items', 'rows'].find((name) => Array.isArray(json?.[name]));
    if (part === undefined) return answer;
    // From its cache a reference lists in no order.
    if (/[?&]resourceVersion=\d/.test(path)) json[part].sort(byName);
    if (path.includes(`/namespaces/${this.namespace}/`)) return answer;
    const isPage = method !== 'GET' || /[?&](limit|continue)=/.test(path);
    const { remainingItemCount: _count, continue: _token, ...metadata } = json.metadata ?? {};
    const items = (json[part] as TestObject[]).filter((item) =>
      this.isOwn(item?.object?.metadata ?? item?.metadata),
    );
    return { ...answer, json: { ...json, metadata, [part]: isPage ? [] : items } };
  }

  /** Remembers what was made, and makes both servers alike again. */
  async #settle(
    { kind, method, path, subresource }: LaneRequest,
    answers: readonly [Answer, Answer],
    differences: readonly Difference[],
  ): Promise<void> {
    const [at = ''] = path.split('?');
    const object = subresource === '' ? at : at.slice(0, -subresource.length - 1);
    const isCreate = method === 'POST' && subresource === '';
    const isApart = differences.some((difference) => /^(code|object) /.test(difference));
    const { ours, theirs } = this.servers;
    const madeBy = ({ status, json }: Answer): TestObject =>
      isCreate && status === 201 ? json?.metadata : undefined;
    for (const [server, { status }, made] of [
      [ours, answers[0], madeBy(answers[0]) ?? madeBy(answers[1])],
      [theirs, answers[1], madeBy(answers[1]) ?? madeBy(answers[0])],
    ] as const) {
      if (isCreate && made === undefined) return;
      const place = isCreate ? `${at}/${encodeURIComponent(made.name)}` : object;
      const isElsewhere = !place.includes(`/namespaces/${this.namespace}/`);
      if (status < 300 && method !== 'GET' && isElsewhere) this.#created.add(place);
      const isGenerated = made?.generateName !== undefined;
      if (!isApart && !isGenerated) continue;
      const isOfMany = !isElsewhere && isCollection(place);
      const name = decodeURIComponent(place.split('/').at(-1) ?? '');
      this.#apart.add(isOfMany ? kind : `${kind} ${name}`);
      if (isOfMany) await removeCollection(server, place);
      else if (!isCollection(place)) await removeObject(server, place);
    }
  }
}

/** Rows that do not hold their objects begin with their names. */
function byName(one: TestObject, other: TestObject): number {
  const [left, right] = [one, other].map((item) =>
    String((item.object ?? item)?.metadata?.name ?? item.cells?.[0]),
  );
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1;
}

function isOfObject(difference: Difference): boolean {
  return difference.startsWith('object ') || difference.startsWith('code ');
}

/** By the number of its parts: `/api/v1[/namespaces/a]/pods`, `/apis/apps/v1/…`. */
function isCollection(path: string): boolean {
  const parts = path.split('/').slice(path.startsWith('/api/') ? 3 : 4);
  return parts.length === 1 || (parts.length === 3 && parts[0] === 'namespaces');
}

function exampleOf(
  { method, path, body, contentType, accept }: LaneRequest,
  answers: readonly [Answer, Answer],
  origin: string,
): Example {
  const [ours, theirs] = answers.map(({ status, headers, text }) => {
    const warnings = headers.get('warning')?.join(' | ');
    const shown = `${status}${warnings === undefined ? '' : ` [${warnings}]`} ${text}`;
    return shown.slice(0, ANSWER_SHOWN_MAX);
  });
  return {
    origin,
    request: [method, path, contentType, accept].filter((part) => part !== undefined).join(' '),
    ...(body !== undefined && { body: body.toString('latin1').slice(0, BODY_SHOWN_MAX) }),
    ours: ours ?? '',
    theirs: theirs ?? '',
  };
}
