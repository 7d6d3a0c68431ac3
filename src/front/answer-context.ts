/** What answers are made with, the same for all requests. */
import type { StatusCodec } from '../resources/status-document.ts';
import type { FeatureGates } from '../resources/feature-gates.ts';

/** What all answers of a server have in common. */
export interface AnswerContext {
  readonly statusCodec: StatusCodec;
  /** Told of what nobody has foreseen, with the request that met it. */
  readonly logFailure: (text: string) => void;
  /** What is switched on; the defaults when absent. */
  readonly features?: FeatureGates;
}
