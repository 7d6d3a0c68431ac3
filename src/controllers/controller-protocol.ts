/** What a controller is asked and tells. */
export interface ControllerCalls {
  /** Ends the actor once the step under way is done. */
  stop: { request: undefined; reply: undefined };
}

export const CONTROLLER_VERBS = ['stop'] as const;

export interface ControllerEvents {
  /** It works from now on. */
  started: { request: { objectsMade: number }; reply: undefined };
}

export const CONTROLLER_EVENTS = ['started'] as const;
