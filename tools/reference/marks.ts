/**
 * Documents as they are on one server, to be sent to both: where each server has a value of its
 * own (a uid, a version, an address, a time) stands a mark, which is replaced by that server's
 * value.
 */

// oxlint-disable-next-line no-explicit-any -- documents of every kind are looked into
type Json = any;

interface Mark {
  readonly text: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Larger than the ports that it stands for, and a 32 bit number as they are. */
const NUMBER_BASE = 2_007_000_000;
const SERVERS_OWN = new Set(['nodePort', 'healthCheckNodePort']);
const SERVERS_TIMES = new Set(['creationTimestamp', 'deletionTimestamp', 'time']);
/** Marks of times begin here, a second each: before any server was. */
const TIMES_FROM_MS = Date.UTC(2007, 0, 1);
const SERVERS_TEXT = /^(?:10\.0\.0\.\d+|[0-9a-f]{8}-[0-9a-f]{4}-.*)$/;

export class Marks {
  readonly #marks: Mark[] = [];

  /** Gives the document of our server, with marks where theirs has another value. */
  document(ours: Json, theirs: Json, name = ''): Json {
    if (typeof ours !== 'object' || ours === null) return this.#leaf(ours, theirs, name);
    if (Array.isArray(ours)) {
      return ours.map((item, at) => this.document(item, theirs?.[at], name));
    }
    return Object.fromEntries(
      Object.entries(ours).map(([member, value]) => [
        member,
        this.document(value, theirs?.[member], member),
      ]),
    );
  }

  /** The text for one of the servers. */
  textFor(server: 'ours' | 'theirs', text: string): string {
    return this.#marks.reduce((all, mark) => all.replaceAll(mark.text, mark[server]), text);
  }

  #leaf(ours: Json, theirs: Json, name: string): Json {
    if (theirs === undefined || ours === theirs || typeof ours !== typeof theirs) return ours;
    const at = this.#marks.length;
    if (SERVERS_OWN.has(name)) return Number(this.#add(String(NUMBER_BASE + at), ours, theirs));
    if (name === 'resourceVersion') return this.#add(String(NUMBER_BASE + at), ours, theirs);
    if (typeof ours !== 'string') return ours;
    if (SERVERS_TIMES.has(name)) {
      const time = new Date(TIMES_FROM_MS + at * 1_000).toISOString().replace('.000', '');
      return this.#add(time, ours, theirs);
    }
    if (!SERVERS_TEXT.test(ours)) return ours;
    const number = String(at).padStart(12, '0');
    return this.#add(`70070070-0700-4700-8700-${number}`, ours, theirs);
  }

  #add(text: string, ours: Json, theirs: Json): string {
    this.#marks.push({ text, ours: String(ours), theirs: String(theirs) });
    return text;
  }
}
