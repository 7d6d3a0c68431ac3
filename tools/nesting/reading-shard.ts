/** A shard in this thread, of which a reader sends texts through all verbs and forms. */
import { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import { ALWAYS_ALLOW } from '../../src/auth/fixed-authorizers.ts';
import { create } from '../../src/shard/verbs/create.ts';
import { deleteObject } from '../../src/shard/verbs/delete.ts';
import { get } from '../../src/shard/read/get.ts';
import { patch } from '../../src/shard/verbs/patch.ts';
import { writing } from '../../src/shard/write/driver.ts';
import { Shard } from '../../src/shard/state/shard.ts';
import type { ObjectReply, PatchRequest, WriteRequest } from '../../src/protocol/shard-protocol.ts';
import { update } from '../../src/shard/verbs/update.ts';
import type { Form } from '../../src/semantics/options/answer-form.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import type { GivingAnswer } from '../../src/actors/link.ts';
import { chainOf } from '../../test/support/admission.ts';
import { answered, NO_OTHER_TYPES, startedClock } from '../../test/support/shard-under-test.ts';
import { nextTurn } from './turns.ts';

const TARGET = { namespace: 'default', subresource: '', dryRun: false, manager: 'm' };
const META = { metaVersion: 'v1' } as const;
const FORMS: readonly Form[] = [
  { encoding: 'yaml' },
  { encoding: 'json', as: 'Table', includeObject: 'Object', ...META },
  { encoding: 'json', as: 'PartialObjectMetadata', ...META },
];
const PROTOBUF: Form = { encoding: 'protobuf' };

type Verb = (answer: GivingAnswer<ObjectReply>) => void;

export class ReadingShard {
  readonly #shard: Shard;
  readonly #forms: readonly Form[];
  readonly #target: typeof TARGET & { readonly name: string };
  readonly #outcomes: string[] = [];

  /** Documents are of an object of that name. */
  constructor(kind: ResourceType, name: string) {
    const { namespaced, message } = kind.definition;
    const isReady = { isCurrent: true, whenCurrent: async () => undefined };
    const namespaces = namespaced ? new NamespaceReplica(() => isReady) : undefined;
    namespaces?.put({ metadata: { name: 'default' }, status: { phase: 'Active' } });
    const clock = startedClock();
    this.#forms = message === undefined ? FORMS : [...FORMS, PROTOBUF];
    this.#target = { ...TARGET, name, namespace: namespaced ? TARGET.namespace : '' };
    this.#shard = new Shard({
      kind,
      log: new MemoryStore().openLog('read'),
      clock,
      historyMs: 1_000,
      nowMs: () => Date.UTC(2024, 0, 1),
      lease: async (rv) => clock.extend(rv + 1_000),
      onCommitEnd: () => undefined,
      logError: (text) => this.#outcomes.push(text),
      continueTokenKey: 'key',
      otherTypes: NO_OTHER_TYPES,
      kindSettings: { serviceClusterIpRange: '10.0.0.0/24', serviceNodePortRange: '30000-32767' },
      admission: chainOf(namespaces),
      authorizer: () => ALWAYS_ALLOW,
      namespaces,
    });
  }

  /** Sends a document as a body of all kinds of writes, and reads what was made. */
  async send(document: string, merge: string, operations: string): Promise<string> {
    this.#outcomes.length = 0;
    await this.#writes(document, 'json');
    await this.#patch('apply', document, { force: true });
    await this.#patch('merge', merge);
    await this.#patch('json', operations);
    if (this.#forms.includes(PROTOBUF)) await this.#patch('strategic', merge);
    await this.#removed();
    await this.#patch('apply', document, { force: true, fieldValidation: 'Strict' });
    await this.#removed();
    return this.#outcomes.join(' | ');
  }

  /** Sends a body in another format, which is only created. */
  async sendAs(format: 'yaml' | 'protobuf', body: Uint8Array): Promise<string> {
    this.#outcomes.length = 0;
    await this.#writes(body, format);
    if (format === 'yaml') await this.#patch('apply', body, { force: true });
    await this.#removed(body, format);
    await this.#removed();
    return this.#outcomes.join(' | ');
  }

  async #writes(body: string | Uint8Array, format: WriteRequest['format']): Promise<void> {
    const bytes = Buffer.from(body as string);
    const request: WriteRequest = { ...this.#target, format };
    const made = await this.#does((answer) => writing(this.#shard, create)(request, bytes, answer));
    const version = /"resourceVersion":"\d+"/.exec(made)?.[0] ?? '"resourceVersion":"1"';
    const again = Buffer.from(
      bytes.toString('latin1').replace('"name":', `${version},$&`),
      'latin1',
    );
    for (const fieldValidation of ['Warn', 'Strict'] as const) {
      const strict = { ...request, fieldValidation };
      await this.#does((answer) => writing(this.#shard, update)(strict, again, answer));
    }
    for (const form of this.#forms) {
      const read = { ...this.#target, resourceVersion: '', form };
      await this.#does((answer) => get(this.#shard, read, answer));
    }
  }

  async #patch(
    patchType: PatchRequest['patchType'],
    body: string | Uint8Array,
    more: Partial<PatchRequest> = {},
  ): Promise<void> {
    const request: PatchRequest = { ...this.#target, patchType, force: false, ...more };
    const bytes = Buffer.from(body as string);
    await this.#does((answer) => writing(this.#shard, patch)(request, bytes, answer));
  }

  async #removed(
    body: Uint8Array = Buffer.from(''),
    format: WriteRequest['format'] = 'json',
  ): Promise<void> {
    const request = { ...this.#target, format, gracePeriodSeconds: 0 };
    await this.#does((answer) => writing(this.#shard, deleteObject)(request, body, answer));
  }

  /** The document of the answer; '' where there is none. */
  async #does(verb: Verb): Promise<string> {
    await nextTurn();
    try {
      const done = answered(verb);
      this.#shard.pipeline.kick();
      const { reply, body } = await done;
      this.#outcomes.push(String(reply.code));
      return body.toString();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#outcomes.push(`${error.status.code} ${error.message.slice(0, 300)}`);
      return '';
    }
  }
}
