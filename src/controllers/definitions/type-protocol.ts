/** The calls by which the controller of definitions has the server serve and remove types. */
import type { CustomTypeFacts } from '../../types/custom/custom-type-facts.ts';

/** The port over which the controller calls. */
export const TYPES_PORT = 'types';

/** The remaining objects of a type that is being emptied. */
export interface TypeContent {
  readonly remaining: number;
  /** Why objects could not be deleted, if any. */
  readonly problems: readonly string[];
}

/** Its type need not have been served. */
export interface GoneDefinition {
  readonly name: string;
  readonly uid: string;
  /** The type begins anew: what was stored of it is not kept for anybody. */
  readonly isMadeAnew?: true;
}

export interface ServedDefinition {
  readonly facts: CustomTypeFacts;
  /** It was not served before. */
  readonly isNew: boolean;
}

export interface Unserved {
  /** The name of the definition. */
  readonly name: string;
  readonly why: string;
}

export interface TypeCalls {
  /** Answers once these types are served to all clients as their definitions say, but for some. */
  typesServed: { request: readonly ServedDefinition[]; reply: readonly Unserved[] };
  /**
   * Answers once nothing serves the type, its watches are ended and what was stored of it is given
   * up.
   */
  typeGone: { request: GoneDefinition; reply: undefined };
  /** Deletes the objects of a type. */
  emptyType: { request: { name: string }; reply: TypeContent };
  /** All that is stored, but of the types of these definitions, is given up: once after a start. */
  definitionsRead: { request: { uids: readonly string[] }; reply: undefined };
}

export const TYPE_VERBS = [
  'typesServed',
  'typeGone',
  'emptyType',
  'definitionsRead',
] as const satisfies readonly (keyof TypeCalls)[];
