import type { ReadYaml } from '../../codec/yaml/read-yaml.ts';

/** A request of which all is checked that can be without its body. */
export interface PreparedRequest {
  /** It may have a body, which is read first. */
  readonly readsBody: boolean;
  /**
   * Asks who answers it, within the turn in which the body came. `body` is undefined where none is
   * read, and for one that is longer than any may be. Throws StatusError and MailboxFullError.
   */
  serve(body: Uint8Array | undefined, yaml: ReadYaml | undefined): void;
}
