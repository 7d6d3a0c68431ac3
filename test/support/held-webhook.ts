/** An admission webhook notes its questions, and answers once a test lets it. */
import type { AdmissionReview, Behaviour } from './admission-webhook.ts';
import { newGate } from './gate.ts';
import type { Members } from './kinds.ts';
import { until } from './owned-objects.ts';

export class HeldWebhook {
  readonly behaviour: Behaviour;
  readonly #reviews: AdmissionReview[] = [];
  readonly #answer = newGate<Members>();

  constructor() {
    this.behaviour = (review) => {
      this.#reviews.push(review);
      return this.#answer.promise;
    };
  }

  /** Resolves when it has been asked so often. */
  async asked(count = 1): Promise<void> {
    await until(async () => this.#reviews.length >= count);
  }

  /** Answers all that it was asked, and from now on at once. */
  release(answer: Members = {}): void {
    this.#answer.open(answer);
  }
}
