/** The writer of streams hands bytes to the HTTP library, which go out in few packets. */
import t from 'tap';
import type { ClientResponse } from '../../../src/front/http.ts';
import { type Ending, StreamWriter } from '../../../src/front/transport/stream-writer.ts';

const GATHERED_BYTES = 16 * 1024;
const HEAD = 'HTTP/1.1 200 OK\r\n\r\n';

/**
 * As the library writes: what is written in a cork is gathered, and goes out at its end; what does
 * not fit goes out at once behind what was gathered, and all that follows in the cork piece by
 * piece. A chunk ends with the next one.
 */
class Library {
  sent = '';
  packets = 0;
  isFull = false;
  #gathered: string | undefined;

  readonly response = {
    cork: (work: () => void): void => {
      this.#gathered = '';
      work();
      if (this.#gathered) this.#send(this.#gathered);
      this.#gathered = undefined;
    },
    write: (part: Uint8Array): boolean => {
      const text = Buffer.from(part).toString('latin1');
      for (const piece of ['\r\n', text.length.toString(16), '\r\n', text]) this.#put(piece);
      return !this.isFull;
    },
  } as unknown as ClientResponse;

  writeHead = (): void => this.#put(HEAD);

  #put(piece: string): void {
    if (this.#gathered === undefined) return this.#send(piece);
    if (this.#gathered.length + piece.length <= GATHERED_BYTES) this.#gathered += piece;
    else {
      // The kernel joins the two: the first says that more comes.
      this.#send(this.#gathered + piece);
      this.#gathered = undefined;
    }
  }

  #send(bytes: string): void {
    this.sent += bytes;
    this.packets += 1;
  }
}

/** The bytes of whole chunks, as a strict reader hands them over, and those of the last one. */
function chunksOf(sent: string): { whole: string; begun: string } {
  if (!sent.startsWith(HEAD)) throw new Error(`the head comes first: ${sent.slice(0, 40)}`);
  let at = HEAD.length;
  let [whole, begun] = ['', ''];
  while (at < sent.length) {
    const end = sent.indexOf('\r\n', at + 2);
    const length = Number.parseInt(sent.slice(at + 2, end), 16);
    whole += begun;
    begun = sent.slice(end + 2, end + 2 + length);
    at = end + 2 + length;
  }
  return { whole, begun };
}

/** A frame begins with a zero. */
function part(byteCount: number): Buffer {
  const bytes = Buffer.alloc(byteCount, 'abcdefg');
  bytes[0] = 0;
  return bytes;
}

const SIZES: Record<number, number> = {
  1: 1,
  1_000: 1,
  15_360: 1,
  15_362: 2,
  16_384: 2,
  30_720: 2,
  30_722: 2,
  100_000: 2,
};

t.test('all of a part but what its ending needs is whole, in as few packets as can be', (t) => {
  for (const ending of ['blank', 'frameStart', 'lastByte'] satisfies Ending[]) {
    for (const [size, packets] of Object.entries(SIZES)) {
      const library = new Library();
      const writer = new StreamWriter(library.response, ending, library.writeHead);
      const bytes = part(Number(size));
      const told = bytes.toString('latin1');
      for (const round of [1, 2, 3]) {
        const before = library.packets;
        t.ok(writer.write(bytes), `${ending}: ${size} bytes`);
        const { whole, begun } = chunksOf(library.sent);
        if (ending === 'blank') {
          t.equal(whole.trimEnd(), Array(round).fill(told).join(' '));
          t.equal(begun, ' ');
        } else if (ending === 'frameStart') {
          t.equal(whole + begun, `${told.repeat(round)}\0`);
          t.equal(begun, '\0');
        } else {
          t.equal(whole + begun, told.repeat(round));
          t.equal(begun.length, 1);
        }
        t.equal(library.packets - before, packets, `${ending}: packets of ${size} bytes`);
      }
    }
  }
  t.end();
});

t.test('a socket that is full is asked with little, and gets the rest in order', (t) => {
  const library = new Library();
  const writer = new StreamWriter(library.response, 'blank', library.writeHead);
  library.isFull = true;
  t.notOk(writer.write(Buffer.from('first')));
  const { length } = library.sent;
  const long = part(100_000);
  t.notOk(writer.write(long), 'still full');
  t.ok(library.sent.length - length < 5_000, 'a part of it asks');
  t.notOk(writer.write(Buffer.from('held')), 'it waits with the rest');
  library.isFull = false;
  t.ok(writer.goOn(), 'all is taken');
  const { whole } = chunksOf(library.sent);
  t.equal(whole.replace('first ', ''), `${long.toString('latin1')}held`);
  t.end();
});
