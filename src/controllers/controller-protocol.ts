/** The calls to a controller, and its events. */

/** A type that has come while the server runs, as controllers know it. */
export interface ServedKind {
  /** The name of its shard. */
  readonly resource: string;
  readonly kind: string;
  /** In which it is served: `example.com/v1`. */
  readonly groupVersions: readonly string[];
  readonly namespaced: boolean;
}

export interface ControllerCalls {
  /** The type is served in other versions than before. */
  typeChanged: { request: ServedKind; reply: undefined };
  /** Ends the actor once the step under way is done. */
  stop: { request: undefined; reply: undefined };
}

export const CONTROLLER_VERBS = ['stop', 'typeChanged'] as const;

export interface ControllerEvents {
  /** It works from now on. */
  started: { request: { objectsMade: number }; reply: undefined };
}

export const CONTROLLER_EVENTS = ['started'] as const;
