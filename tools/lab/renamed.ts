/**
 * What stands for what: versions, uids, generated names and tokens of a recording, and those that a
 * server has given in their place.
 */
type Document = Readonly<Record<string, unknown>>;

const MEMBERS = ['uid', 'resourceVersion', 'name', 'continue'] as const;
/** Short texts stand for other things as well. */
const SHORT = 12;

export class Renamed {
  readonly #texts = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  /** Learns from two answers to the same request. */
  learn(recorded: unknown, got: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(got)) {
      for (const [at, item] of recorded.entries()) this.learn(item, got[at]);
      return;
    }
    if (!isDocument(recorded) || !isDocument(got)) return;
    for (const [name, value] of Object.entries(recorded)) {
      if (name === 'metadata') this.#learnMetadata(value, got[name]);
      else this.learn(value, got[name]);
    }
  }

  #learnMetadata(recorded: unknown, got: unknown): void {
    if (!isDocument(recorded) || !isDocument(got)) return;
    for (const member of MEMBERS) {
      const [old, now] = [recorded[member], got[member]];
      if (typeof old !== 'string' || typeof now !== 'string' || old === '') continue;
      if (member === 'resourceVersion') this.#versions.set(old, now);
      else if (old !== now && (member !== 'name' || isGenerated(recorded))) {
        this.#texts.set(old, now);
      }
    }
  }

  /** A URL or a body as it is to be sent now. */
  in(text: string): string {
    let renamed = text;
    for (const [old, now] of this.#texts) {
      if (old.length >= SHORT || renamed.includes(old)) renamed = renamed.replaceAll(old, now);
    }
    return renamed
      .replaceAll(/("resourceVersion"\s*:\s*")(\d+)"/g, (all, head: string, old: string) => {
        const now = this.#versions.get(old);
        return now === undefined ? all : `${head}${now}"`;
      })
      .replaceAll(/([?&]resourceVersion=)(\d+)/g, (all, head: string, old: string) => {
        const now = this.#versions.get(old);
        return now === undefined ? all : head + now;
      });
  }
}

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isGenerated({ generateName }: Document): boolean {
  return typeof generateName === 'string' && generateName !== '';
}
