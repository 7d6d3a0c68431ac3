/**
 * Bodies in YAML, which takes a hundred times as long to read as JSON: they become JSON in a thread
 * of its own, users in turns, before anybody else looks at them (../README.md#bodies-of-requests).
 */
import { MailboxFullError } from '../../actors/link.ts';
import { FairTurns } from '../../base/turns/fair-turns.ts';
import { isJson } from '../../codec/yaml/read-yaml.ts';
import type { ReadYaml, YamlJob } from '../../codec/yaml/read-yaml.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { shareOf, YAML_BODY_BYTES_MAX } from '../../limits.ts';
import { YAML_LOOKED_AT_BYTES, YAML_USER_BYTES_MAX, YAML_WAITING_BYTES_MAX } from '../limits.ts';
import type { Exchange } from '../exchange.ts';
import { encodingOfBody, startsAsJsonObject } from './negotiate.ts';
import { fieldValidationOf } from './options.ts';

export interface YamlBodiesOptions {
  /** The number of fronts that share what the server may hold. */
  readonly fronts: number;
  /** Reads in another thread. */
  readonly readYaml: (job: YamlJob) => Promise<ReadYaml | undefined>;
}

export class YamlBodies {
  readonly #readYaml: YamlBodiesOptions['readYaml'];
  readonly #turns: FairTurns;

  constructor({ fronts, readYaml }: YamlBodiesOptions) {
    this.#readYaml = readYaml;
    this.#turns = new FairTurns({
      bytesMax: shareOf(YAML_WAITING_BYTES_MAX, fronts),
      userBytesMax: shareOf(YAML_USER_BYTES_MAX, fronts),
    });
  }

  /**
   * Reads what outlives the turn. Resolves with undefined for what is no text, and for what nobody
   * wants any more by then; rejects with MailboxFullError when the user has too much that waits.
   */
  async read(
    user: string,
    job: YamlJob,
    isWanted: () => boolean = () => true,
  ): Promise<ReadYaml | undefined> {
    const { length } = job.body;
    if (!this.#turns.hasRoom(user, length)) throw new MailboxFullError('too much YAML waits');
    return this.#turns.run(user, length, async () => {
      return isWanted() ? this.#readYaml(job) : undefined;
    });
  }
}

/**
 * The job that reads the body of a request; undefined for a body that is no YAML by its type, for
 * JSON, and for one that is refused by its length. A short body that begins like a JSON object is
 * left to who looks for its members: most such bodies are JSON.
 */
export function yamlJob({ head, query }: Exchange, body: Uint8Array): YamlJob | undefined {
  if (encodingOfBody(head.contentType) !== 'yaml' || body.length > YAML_BODY_BYTES_MAX) {
    return undefined;
  }
  const strict = ['Warn', 'Strict'].includes(fieldValidationOf(query));
  // Strict checks of an object speak of a body as it is written.
  const mayBeJson = head.method === 'patch' || !strict;
  if (mayBeJson && startsAsJsonObject(body)) {
    if (body.length <= YAML_LOOKED_AT_BYTES || isJson(decodeUtf8(body))) return undefined;
  }
  return { body: body.slice(), strict };
}
