/**
 * Operations: what is asked for at a path but is no stored object (SPEC "What the service does" 6).
 * Virtual kinds (access reviews, `bindings`) and subresources such as `eviction`: each has a file
 * beside this one and uses shards as any client does.
 */
import type { ServiceAccountTokens } from '../../auth/service-account-tokens.ts';
import type { TokenAuthenticator, User } from '../../auth/token-authenticator.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Form } from '../../semantics/form.ts';
import type { BodyFormat, FieldValidation } from '../../shard/shard-protocol.ts';
import type { Exchange } from '../exchange.ts';
import type { ShardClient } from '../resource-requests.ts';
import type { OperationRoute } from '../route.ts';

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
  /** The kind that the body names; '' for none. */
  readonly sentKind: string;
  /** What `fieldValidation=Warn` found. */
  readonly warnings: readonly string[];
}

/**
 * Bodies to objects of such kinds, and objects to documents. Objects have neutral names; what is
 * sent and answered has those of the server's dialect.
 */
export interface OperationCodecs {
  /** Throws StatusError 400 as for any other body (API-FACTS 1.4). */
  decode(
    kind: OperationKind,
    body: Uint8Array,
    how: { readonly format: BodyFormat; readonly fieldValidation: FieldValidation },
  ): OperationBody;
  /** A whole document; JSON and YAML end with a newline. */
  encode(kind: OperationKind, object: object, form: Pick<Form, 'encoding'>): Uint8Array;
}

/** What operations work with. */
export interface OperationContext {
  /** By the name of the resource type: `pods`, `deployments.apps`. */
  readonly shards: ReadonlyMap<string, Pick<ShardClient, 'link'>>;
  readonly authenticator: TokenAuthenticator;
  readonly tokens: ServiceAccountTokens;
  readonly codecs: OperationCodecs;
  /** Resolves once the store has committed something; rejects when it cannot. */
  readonly checkStorage: () => Promise<void>;
  readonly nowMs: () => number;
}

export interface OperationRequest extends OperationContext {
  readonly route: OperationRoute;
  readonly exchange: Exchange;
  readonly user: User;
  /** Empty when there is none. */
  readonly body: Uint8Array;
}

export interface Operation {
  /** HTTP methods that are served, in lower case; all others are 405. */
  readonly methods: readonly string[];
  /** What another server would answer: any `Accept` will do. */
  readonly passesOn?: boolean;
  /** Answers Tables and metadata alone too, and looks at `Accept` itself. */
  readonly isTransformed?: boolean;
  /** Answers through the exchange, or throws StatusError. */
  serve(request: OperationRequest): Promise<void>;
}
