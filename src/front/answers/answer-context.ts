/** The settings that all answers of a server share. */
import type { StatusCodec } from '../../resources/status-document.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';

/** The settings that all answers of a server have in common. */
export interface AnswerContext {
  readonly statusCodec: StatusCodec;
  /** Told of what nobody has foreseen, with the request that met it. */
  readonly logFailure: (text: string) => void;
  /** The feature gates; the defaults when absent. */
  readonly features?: FeatureGates;
}
