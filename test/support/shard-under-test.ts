/** A shard in this thread: verbs as promises, a clock that the test moves, the real kinds. */
import type { Answer, GivingAnswer } from '../../src/actors/link.ts';
import { model as MODEL } from '../codec/proto-model.ts';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import type { OtherTypes } from '../../src/resources/allocator.ts';
import type { BuiltInKind } from '../../src/resources/kind.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { VersionClock } from '../../src/sequencer/version-clock.ts';
import { Proposer } from '../../src/proposals/proposer.ts';
import { create } from '../../src/shard/verbs/create.ts';
import { createProposed } from '../../src/shard/verbs/create-proposed.ts';
import { deleteObject } from '../../src/shard/verbs/delete.ts';
import { get } from '../../src/shard/read/get.ts';
import { ALL_KEYS, keysOfNamespace } from '../../src/shard/table/object-table.ts';
import { Lists } from '../../src/shard/read/list.ts';
import { chainOf } from './admission.ts';
import { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import { ALWAYS_ALLOW } from '../../src/auth/fixed-authorizers.ts';
import { Shard } from '../../src/shard/state/shard.ts';
import type { ShardOptions } from '../../src/shard/state/shard-options.ts';
import type {
  DeleteRequest,
  ListRequest,
  ObjectReply,
  ProposedRequest,
  WriteRequest,
} from '../../src/protocol/shard-protocol.ts';
import { update } from '../../src/shard/verbs/update.ts';
import { writing } from '../../src/shard/write/driver.ts';
import type { TypeLog } from '../../src/storage/store.ts';
import { HeldLog } from './held-log.ts';
import type { TestObject } from './kinds.ts';

/** Kinds that hold values in other types are not tested with it. */
export const NO_OTHER_TYPES: OtherTypes = {
  follow: (resource) => {
    throw new Error(`${resource} is not there to be followed`);
  },
  objects: (resource) => {
    throw new Error(`${resource} is not there`);
  },
};

const runtimes = new Map<BuiltInKind, ResourceType>();

export function kindRuntime(definition: BuiltInKind): ResourceType {
  let runtime = runtimes.get(definition);
  if (runtime === undefined) {
    const validators = compileValidators(MODEL, [definition.message]);
    runtime = builtInType(definition, MODEL, validators);
    runtimes.set(definition, runtime);
  }
  return runtime;
}

/** An answer to a get or write. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly object: TestObject;
}

/** Runs a verb; resolves with its answer and rejects with what it throws or fails with. */
export function answered<Reply>(
  verb: (answer: GivingAnswer<Reply>) => void,
): Promise<{ reply: Reply; body: Buffer }> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    const once = (): void => {
      answers++;
      if (answers > 1) throw new Error('answered twice');
    };
    verb({
      reply: (reply, ...body) => {
        once();
        resolve({ reply, body: Buffer.concat(body) });
      },
      replyGiven: (reply, body) => {
        once();
        resolve({ reply, body: Buffer.from(body) });
      },
      fail: (error) => {
        once();
        reject(error as Error);
      },
    });
  });
}

export const START_MS = Date.UTC(2024, 0, 1);
const START_VERSION = 100;
/** A replica hears of every change at once. */
const CURRENT = { isCurrent: true, whenCurrent: async () => undefined };

export interface ShardSetup extends Partial<
  Omit<ShardOptions, 'kind' | 'nowMs' | 'log' | 'clock'>
> {
  readonly definition?: BuiltInKind;
  /** One from before goes on with what it holds. */
  readonly log?: TypeLog;
  readonly clock?: VersionClock;
}

/** A list of everything, newest, in one page; `options` are laid over it. */
export function listRequest(options: Partial<ListRequest> = {}): ListRequest {
  return {
    namespace: '',
    labelSelector: '',
    fieldSelector: '',
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 0,
    continue: '',
    ...options,
  };
}

export class ShardUnderTest {
  readonly shard: Shard;
  readonly lists: Lists;
  readonly log: TypeLog;
  readonly clock: VersionClock;
  nowMs: number;
  readonly errors: string[] = [];
  readonly #namespaces: NamespaceReplica | undefined;

  constructor(setup: ShardSetup = {}, nowMs = START_MS) {
    const { definition = CONFIG_MAP, log = new HeldLog(), clock = startedClock(), ...rest } = setup;
    this.log = log;
    this.clock = clock;
    this.nowMs = nowMs;
    if (definition.namespaced) {
      this.#namespaces = rest.namespaces ?? new NamespaceReplica(() => CURRENT);
      for (const name of ['default', 'ns', 'a', 'b', 'c']) this.setNamespace(name, 'Active');
    }
    this.shard = new Shard({
      kind: kindRuntime(definition),
      log,
      clock,
      historyMs: 300_000,
      nowMs: () => this.nowMs,
      lease: async (rv) => clock.extend(rv + 1000),
      onCommitEnd: () => undefined,
      logError: (text) => this.errors.push(text),
      continueTokenKey: 'key',
      otherTypes: NO_OTHER_TYPES,
      kindSettings: { serviceClusterIpRange: '10.0.0.0/24', serviceNodePortRange: '30000-32767' },
      admission: chainOf(this.#namespaces),
      authorizer: () => ALWAYS_ALLOW,
      ...rest,
      namespaces: this.#namespaces,
    });
    this.lists = new Lists(this.shard);
  }

  /** From now on the shard knows the namespace as that. */
  setNamespace(name: string, phase: 'Active' | 'Terminating'): void {
    this.#namespaces?.put({ metadata: { name }, status: { phase } });
  }

  create(object: TestObject, options: Partial<WriteRequest> = {}): Promise<Outcome> {
    return this.#write(create, object, options);
  }

  /** Proposes the object as a front does. */
  async propose(
    object: TestObject,
    options: Partial<WriteRequest> = {},
  ): Promise<{ readonly request: ProposedRequest; readonly record: Uint8Array }> {
    const [request, body] = this.#request(create, object, options);
    const proposer = new Proposer(this.shard, (text) => this.errors.push(text));
    await proposer.whenReady();
    if (!proposer.mayPropose(request)) throw new Error('its shard alone proposes it');
    return new Promise((resolve, reject) => {
      proposer.propose(request, body, (error, proposed) => {
        if (proposed === undefined) return reject(error as Error);
        const { record, ...draft } = proposed.draft;
        const { namespace, name, version = 0 } = request;
        resolve({ request: { namespace, name, version, ...draft }, record });
      });
    });
  }

  /** Creates what was proposed. */
  createFrom({ request, record }: Awaited<ReturnType<typeof this.propose>>): Promise<Outcome> {
    return this.#outcome((answer) => writing(this.shard, createProposed)(request, record, answer));
  }

  async createProposed(object: TestObject, options: Partial<WriteRequest> = {}): Promise<Outcome> {
    return this.createFrom(await this.propose(object, options));
  }

  update(object: TestObject, options: Partial<WriteRequest> = {}): Promise<Outcome> {
    return this.#write(update, object, options);
  }

  /** With DeleteOptions as the body, or none. */
  delete(name: string, options: Partial<DeleteRequest> = {}, body?: unknown): Promise<Outcome> {
    const request: DeleteRequest = {
      namespace: this.#namespace(options.namespace),
      name,
      format: 'json',
      dryRun: false,
      ...options,
    };
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    return this.#outcome((answer) => writing(this.shard, deleteObject)(request, bytes, answer));
  }

  get(name: string, namespace?: string, resourceVersion = ''): Promise<Outcome> {
    const target = { namespace: this.#namespace(namespace), name, subresource: '' };
    const request = { ...target, resourceVersion };
    return this.#outcome((answer) => get(this.shard, request, answer));
  }

  /** The whole list, page after page. */
  async list(options: Partial<ListRequest> = {}): Promise<TestObject> {
    const request = listRequest(options);
    let page = await answered<{ listId?: number }>((answer) => this.lists.list(request, answer));
    const parts = [page.body];
    while (page.reply.listId !== undefined) {
      const { listId } = page.reply;
      page = await answered((answer) => this.lists.more(listId, answer));
      parts.push(page.body);
    }
    return JSON.parse(Buffer.concat(parts).toString());
  }

  /** Versions in the log. */
  versions(): number[] {
    const seen: number[] = [];
    this.log.scan(0, (rv) => {
      seen.push(rv);
      return true;
    });
    return seen;
  }

  /** Keys of the table, in order. */
  keys(namespace = ''): string[] {
    const keys: string[] = [];
    const range = namespace === '' ? ALL_KEYS : keysOfNamespace(namespace);
    this.shard.table.scan(range, ({ key }) => void keys.push(key));
    return keys;
  }

  #namespace(namespace: string | undefined): string {
    return this.shard.kind.definition.namespaced ? (namespace ?? 'default') : '';
  }

  #write(
    verb: typeof create,
    object: TestObject,
    options: Partial<WriteRequest>,
  ): Promise<Outcome> {
    const [request, body] = this.#request(verb, object, options);
    return this.#outcome((answer) => writing(this.shard, verb)(request, body, answer));
  }

  #request(
    verb: typeof create,
    object: TestObject,
    options: Partial<WriteRequest>,
  ): readonly [WriteRequest, Buffer] {
    const request: WriteRequest = {
      namespace: this.#namespace(options.namespace ?? object.metadata?.namespace),
      name: verb === create ? '' : (object.metadata?.name ?? ''),
      subresource: '',
      format: 'json',
      dryRun: false,
      manager: 'test',
      ...options,
    };
    return [request, Buffer.from(JSON.stringify(object))];
  }

  async #outcome(verb: (answer: Answer<ObjectReply>) => void): Promise<Outcome> {
    const outcome = answered(verb);
    // As at the end of an actor's turn.
    this.shard.pipeline.kick();
    const { reply, body } = await outcome;
    const text = body.toString();
    return { code: reply.code, text, object: JSON.parse(text) };
  }
}

export function startedClock(from = START_VERSION): VersionClock {
  const clock = new VersionClock();
  clock.start(from);
  clock.extend(from + 100_000);
  return clock;
}
