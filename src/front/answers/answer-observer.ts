/** Who sees an answer on its way out. */
import type { Status } from '../../semantics/errors/status.ts';
import type { Form } from '../../semantics/options/answer-form.ts';

type Encoding = Form['encoding'];

/** The audit log is one. */
export interface AnswerObserver {
  /** All parts of a list are wanted, too. */
  readonly tellsAnswers: boolean;
  /** The head of a stream, or of another protocol, is about to go out. */
  started(code: number): void;
  document(bytes: Uint8Array, encoding: Encoding): void;
  part(bytes: Uint8Array): void;
  endOfParts(encoding: Encoding): void;
  answersWith(status: Status, document?: Uint8Array, encoding?: Encoding): void;
  panicked(message: string): void;
  /** The answer waits where there is a promise. */
  completed(code?: number): Promise<unknown> | undefined;
}
