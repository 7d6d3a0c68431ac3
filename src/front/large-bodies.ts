/**
 * Bodies that take long to read. Few of them are with the shards at a time, so that small requests
 * need not wait for all of them, and long YAML is read in a thread of its own first.
 */
import { MailboxFullError } from '../actors/link.ts';
import { TaskLimiter } from '../base/task-limiter.ts';
import { isJson } from '../codec/read-yaml.ts';
import type { ReadYaml, YamlJob } from '../codec/read-yaml.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import {
  LARGE_BODIES_BYTES_MAX,
  LARGE_BODIES_MAX,
  LARGE_BODY_BYTES,
  LARGE_YAML_BODY_BYTES,
  shareOf,
  YAML_BODY_BYTES_MAX,
} from '../limits.ts';
import { startsAsJsonObject } from './negotiate.ts';

/** How a body that may be YAML is to be read. */
export interface YamlReading {
  /** Whether to look for what strict decoding finds. */
  readonly strict: boolean;
  /** Whether JSON is taken for what it is. */
  readonly mayBeJson: boolean;
}

export interface LargeBody {
  /** Copied within the turn. */
  readonly body: Uint8Array;
  readonly reading: YamlReading | undefined;
  /** False once the client is gone. */
  readonly isWanted: () => boolean;
}

/** Passes a body on; settles when its turn is over. */
type PassOn = (body: Uint8Array, read: ReadYaml | undefined) => Promise<void>;

export interface LargeBodiesOptions {
  /** So many are with the shards. */
  readonly atOnce: number;
  /** How many fronts share what the server may hold. */
  readonly fronts: number;
  readonly readYaml: (job: YamlJob) => Promise<ReadYaml | undefined>;
}

export class LargeBodies {
  readonly #readYaml: LargeBodiesOptions['readYaml'];
  readonly #turns: TaskLimiter;
  readonly #countMax: number;
  readonly #bytesMax: number;
  /** There is one thread for it. */
  readonly #yamlTurns = new TaskLimiter(1);
  #count = 0;
  #bytes = 0;

  constructor({ atOnce, fronts, readYaml }: LargeBodiesOptions) {
    this.#readYaml = readYaml;
    this.#countMax = shareOf(LARGE_BODIES_MAX, fronts);
    this.#bytesMax = shareOf(LARGE_BODIES_BYTES_MAX, fronts);
    this.#turns = new TaskLimiter(atOnce);
  }

  /** Whether a body has to wait for its turn; `reading` is absent where it is no YAML. */
  isLarge({ length }: Uint8Array, reading: YamlReading | undefined): boolean {
    return length > (reading === undefined ? LARGE_BODY_BYTES : LARGE_YAML_BODY_BYTES);
  }

  /**
   * Passes a body on when it is its turn. Settles as `passOn` does; rejects with MailboxFullError
   * when too much waits.
   */
  async take(large: LargeBody, passOn: PassOn): Promise<void> {
    const { body, reading, isWanted } = large;
    const { length } = body;
    if (this.#count >= this.#countMax || this.#bytes + length > this.#bytesMax) {
      throw new MailboxFullError('too many large bodies wait');
    }
    const held = body.slice();
    this.#count++;
    this.#bytes += length;
    try {
      const read = isYaml(held, reading)
        ? await this.#yamlTurns.run(async () => {
            return isWanted() ? this.#readYaml({ body: held, strict: reading.strict }) : undefined;
          })
        : undefined;
      await this.#turns.run(() => passOn(held, read));
    } finally {
      this.#count--;
      this.#bytes -= length;
    }
  }
}

/** False for JSON, and for what is refused by its length. */
function isYaml(body: Uint8Array, reading: YamlReading | undefined): reading is YamlReading {
  if (reading === undefined || body.length > YAML_BODY_BYTES_MAX) return false;
  return !(reading.mayBeJson && startsAsJsonObject(body) && isJson(decodeUtf8(body)));
}
