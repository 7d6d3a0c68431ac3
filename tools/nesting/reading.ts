/** Reads texts in a process of its own, which a reader may end. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export interface Reading {
  readonly reader: string;
  readonly text: string;
}

export interface ReadOutcome {
  /** How it went, in a word or two; or why it failed. */
  readonly outcome: string;
  /** It threw, came to the end of the stack, ended its process or never ended. */
  readonly failed: boolean;
  /** The longest turn of the thread, in its own CPU time. */
  readonly milliseconds: number;
}

/** On a machine of any speed; nothing that ends takes a tenth of it. */
const READING_MS_MAX = 120_000;
const STDERR_CHARACTERS_MAX = 600;
const ALL_READERS = new URL('readers.ts', import.meta.url);

export class ReadingProcess {
  readonly #readers: URL;
  readonly #readingMsMax: number;
  #process: ChildProcess | undefined;
  #said = '';

  /** With the readers of a module. */
  constructor(readers = ALL_READERS, readingMsMax = READING_MS_MAX) {
    this.#readers = readers;
    this.#readingMsMax = readingMsMax;
  }

  /** One at a time. The next one after the end of the process is in a new one. */
  async read(reading: Reading): Promise<ReadOutcome> {
    const process = (this.#process ??= this.#start());
    return new Promise((resolve) => {
      const done = (outcome: ReadOutcome): void => {
        clearTimeout(late);
        process.removeAllListeners('message').removeAllListeners('close');
        resolve(outcome);
      };
      const gone = (outcome: string): void => {
        this.#process = undefined;
        done({ outcome, failed: true, milliseconds: 0 });
      };
      const late = setTimeout(() => {
        process.kill('SIGKILL');
        gone(`no end after ${this.#readingMsMax} ms`);
      }, this.#readingMsMax);
      process.once('message', (outcome) => done(outcome as ReadOutcome));
      process.once('close', (code, signal) => {
        gone(`the process was ended by ${signal ?? `exit ${code}`}: ${this.#said.trim()}`);
      });
      process.send(reading);
    });
  }

  stop(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  #start(): ChildProcess {
    const started = fork(new URL('reader-process.ts', import.meta.url), [this.#readers.href], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#said = '';
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(0, STDERR_CHARACTERS_MAX);
    });
    return started;
  }
}
