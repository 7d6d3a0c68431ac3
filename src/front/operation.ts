/**
 * Operations: what is asked for at a path but is no stored object (src/codec/README.md#bodies).
 * Virtual kinds (access reviews, `bindings`) and subresources such as `eviction`: each has a file
 * beside this one and uses shards as any client does.
 */
import type { Readable } from 'node:stream';
import type { TokenAuthenticator } from '../auth/authenticator.ts';
import type { AdmissionChain } from '../admission/chain.ts';
import type { FairTurns } from '../base/turns/fair-turns.ts';
import type { ReadYaml } from '../codec/yaml/read-yaml.ts';
import type { SaysWhoAsks } from '../auth/identity-headers.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import type { RawJson } from '../codec/json/raw-json.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import type { StructType } from '../semantics/fields/field-types.ts';
import type { Writer } from '../semantics/fields/track-update.ts';
import type { BodyFormat, FieldValidation } from '../protocol/shard-protocol.ts';
import type { Header } from './answers/header-text.ts';
import type { Exchange } from './exchange.ts';
import type { RequestContext } from './request-context.ts';
import type { ShardClient } from './resource-requests.ts';
import type { OperationRoute } from './requests/route.ts';
import type { User } from '../semantics/user.ts';

/** A kind that only operations know: what their bodies and answers are. */
export interface OperationKind {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its message in the schema model: `policy.v1.Eviction`. */
  readonly message: string;
  /** Other `apiVersion`s that a body may have, in the same shape. */
  readonly accepts?: readonly string[];
}

export interface OperationBody {
  readonly object: ApiObject;
  /** The warnings of `fieldValidation=Warn`. */
  readonly warnings: readonly string[];
}

/**
 * Bodies to objects of such kinds, and objects to documents.
 */
export interface OperationCodecs {
  /** Throws StatusError 400 as for any other body (src/codec/README.md#bodies). */
  decode(
    kind: OperationKind,
    body: Uint8Array,
    how: {
      readonly format: BodyFormat;
      readonly fieldValidation: FieldValidation;
      /** The YAML of the body, read. */
      readonly yaml?: ReadYaml;
    },
  ): OperationBody;
  /** Who owns the fields of an object that is asked with; undefined for none. */
  ownersOf(kind: OperationKind, object: ApiObject, writer: Writer): RawJson | undefined;
  /** The unknown and repeated members of a document. */
  strictProblems(kind: OperationKind, text: string): readonly string[];
  fieldTypes(kind: OperationKind): StructType;
  /** A whole document; JSON and YAML end with a newline. */
  encode(kind: OperationKind, object: object, form: Pick<Form, 'encoding'>): Uint8Array;
}

/** The tools that operations work with. */
export interface OperationContext {
  /** By the name of the resource type: `pods`, `deployments.apps`. */
  readonly shards: ReadonlyMap<string, Pick<ShardClient, 'link'>>;
  readonly authenticator: TokenAuthenticator;
  readonly authorizer: Authorizer;
  /** The admission of what is asked to be done. */
  readonly admission: AdmissionChain;
  readonly tokens: ServiceAccountTokens;
  readonly codecs: OperationCodecs;
  /** Bodies that take milliseconds to read are read in these: one in a turn of the front. */
  readonly bodyTurns: Pick<FairTurns, 'hasRoom' | 'begin'>;
  /** Resolves once the store has committed something; rejects when it cannot. */
  readonly checkStorage: () => Promise<void>;
  readonly nowMs: () => number;
  /** Names the headers that say who asks, which none but this server may see. */
  readonly saysWhoAsks: SaysWhoAsks;
}

export interface OperationRequest extends OperationContext {
  readonly route: OperationRoute;
  readonly exchange: Exchange;
  readonly user: User;
  /** Knows the form of the answer, and who is told of it. */
  readonly context: RequestContext;
  /** Empty when there is none. */
  readonly body: Uint8Array;
  /** The body, read, where it is YAML. */
  readonly yaml: ReadYaml | undefined;
}

/** A request on its way to another server: its body is not read here. */
export interface PassedRequest {
  readonly exchange: Exchange;
  /** Those that may leave this server. */
  readonly headers: readonly Header[];
  /** Undefined when the request has none. */
  readonly body: Readable | undefined;
  /** `cut` runs when the client goes away before it has its answer; the last one given counts. */
  whenGone(cut: () => void): void;
  /** Sends the client to where it can have a session in the protocol that it asks for. */
  redirectSession(): Promise<void>;
  /** `end` runs when the server stops before the answer is complete. */
  whenStopped(end: () => void): void;
}

/** An operation that passes its request on. */
export interface PassingRequest extends OperationContext, PassedRequest {
  readonly route: OperationRoute;
  readonly user: User;
  /** Knows the form of the answer, and who is told of it. */
  readonly context: RequestContext;
}

export type HttpMethod = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

/** How discovery and OpenAPI describe a subresource that is an operation. */
export interface DescribedSubresource {
  /** The kind of the body, of the options of a connection, or of the answer, in its words. */
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  /** A reading answers with text, and only looks. */
  readonly action: 'create' | 'connect' | 'read';
  /** The kind of the options of a reading. */
  readonly options?: string;
  /** More of the path may follow. */
  readonly takesPath?: true;
}

interface AnyOperation {
  /** Absent: it is no subresource. */
  readonly describedAs?: DescribedSubresource;
  /** HTTP methods that are served, in lower case; all others are 405. */
  readonly methods: readonly HttpMethod[];
}

/** Each answers through the exchange, or throws StatusError. */
export type Operation =
  | (AnyOperation & {
      readonly passesOn?: never;
      /** Answers Tables and metadata alone too, and looks at `Accept` itself. */
      readonly isTransformed?: boolean;
      serve(request: OperationRequest): Promise<void>;
    })
  | (AnyOperation & {
      /** Another server answers: any `Accept` will do. */
      readonly passesOn: true;
      serve(request: PassingRequest): Promise<void>;
    });
