/** Endpoints that go with their service, in releases that have it so (README.md#rules). */
import type { Service } from '#messages/core.v1';
import type { OtherObjects, OtherTypes } from '../../allocator.ts';

const ENDPOINTS = 'endpoints';

export class ServiceEndpoints {
  readonly #others: OtherTypes;
  #objects: OtherObjects | undefined;

  constructor(others: OtherTypes) {
    this.#others = others;
  }

  /** Those that cannot be removed are left to the controller that makes them. */
  async remove({ metadata }: Service): Promise<void> {
    const { namespace = '', name = '' } = metadata;
    try {
      this.#objects ??= this.#others.objects(ENDPOINTS);
      const found = await this.#objects.get({ namespace, name });
      if (found === undefined) return;
      await this.#objects.deleteExactly({ namespace, name }, found.metadata.uid ?? '');
    } catch {
      // The service is gone all the same.
    }
  }
}
