/** Which classes of a type are marked as the one for objects that name none. */
import type { FollowedType, FollowType, TypeIndex } from '../../../replicas/follow-type.ts';
import type { ApiObject } from '../../../resources/kind.ts';

export class DefaultClasses implements TypeIndex {
  readonly followed: FollowedType;
  readonly #marks: readonly string[];
  readonly #names = new Set<string>();

  /** `marks` are annotations, each of which marks a class where it is `true`. */
  constructor(follow: FollowType, resource: string, marks: readonly string[]) {
    this.#marks = marks;
    this.followed = follow(resource, this);
  }

  put({ metadata: { name = '', annotations } }: ApiObject): void {
    const isDefault = this.#marks.some((mark) => annotations?.[mark] === 'true');
    if (isDefault) this.#names.add(name);
    else this.#names.delete(name);
  }

  remove({ metadata: { name = '' } }: ApiObject): void {
    this.#names.delete(name);
  }

  get count(): number {
    return this.#names.size;
  }

  /** Undefined where none is marked, or several are. */
  get only(): string | undefined {
    const [name] = this.#names;
    return this.#names.size === 1 ? name : undefined;
  }
}
