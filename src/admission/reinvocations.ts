/** Which webhooks, or policies, are to be asked once more about a proposal. */
export class Reinvocations {
  /** They were asked, and ask to be asked again if something changes. */
  readonly #before = new Set<string>();
  /** Those of them since which something has changed. */
  readonly #again = new Set<string>();
  #left = '';

  /** Whether a change would have somebody asked again. */
  get areAwaited(): boolean {
    return this.#before.size > 0;
  }

  isAgain(who: string): boolean {
    return this.#again.has(who);
  }

  /** It was asked, and is to be asked again if something changes. */
  asked(who: string): void {
    this.#before.add(who);
  }

  /** The object has changed since they were asked. */
  changed(): void {
    for (const who of this.#before) this.#again.add(who);
    this.#before.clear();
  }

  /** All were asked; `text` is the document of the object then. */
  leave(text: string): void {
    this.#left = text;
  }

  /** The object is looked at for the second time: what others did to it counts. */
  resume(text: string): void {
    if (text !== this.#left) this.changed();
  }
}
