/** Reads a recording (src/laboratory/README.md#recordings). */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import {
  bytesOf,
  RECORDING,
  type RecordedLine,
  type RecordedRequest,
} from '../../src/laboratory/recording.ts';
import { ToolError } from '../backup/tool-error.ts';

/** One request with its answer; what never came is absent. */
export interface Played {
  readonly n: number;
  readonly request: RecordedRequest;
  readonly startMs: number;
  /** Infinity where the recording ended before. */
  readonly endMs: number;
  readonly code: number | undefined;
  readonly answer: Buffer;
  /** The type of what was answered; '' for none. */
  readonly contentType: string;
  /** The answer as it came. */
  readonly parts: readonly Part[];
  readonly isComplete: boolean;
}

export interface Part {
  readonly ms: number;
  readonly bytes: Buffer;
}

interface Draft {
  readonly request: RecordedRequest;
  readonly startMs: number;
  endMs: number;
  code: number | undefined;
  isPacked: boolean;
  contentType: string;
  readonly parts: Part[];
  isComplete: boolean;
}

/** In the order in which they were asked. Rejects with ToolError for other files. */
export async function readRecording(file: string): Promise<readonly Played[]> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const drafts = new Map<number, Draft>();
  let number = 0;
  for await (const line of lines) {
    number++;
    const parsed = parsedLine(line);
    if (number === 1) {
      if (parsed !== undefined && RECORDING in parsed) continue;
      throw new ToolError(`${file} is no recording`);
    }
    // A server that was killed may have left half a line.
    if (parsed !== undefined) take(drafts, parsed as RecordedLine);
  }
  if (number === 0) throw new ToolError(`${file} is empty`);
  return [...drafts].map(([n, { parts, isPacked, ...draft }]) => {
    const answer = Buffer.concat(parts.map(({ bytes }) => bytes));
    const isWhole = isPacked && draft.isComplete;
    return { n, ...draft, parts, answer: isWhole ? gunzipSync(answer) : answer };
  });
}

function parsedLine(line: string): object | undefined {
  try {
    return JSON.parse(line) as object;
  } catch {
    return undefined;
  }
}

function take(drafts: Map<number, Draft>, line: RecordedLine): void {
  const { n, ms } = line;
  if ('request' in line) {
    drafts.set(n, {
      request: line.request,
      startMs: ms,
      endMs: Infinity,
      code: undefined,
      contentType: '',
      isPacked: false,
      isComplete: false,
      parts: [],
    });
    return;
  }
  const draft = drafts.get(n);
  if (draft === undefined) return;
  if ('answer' in line) {
    draft.code = line.answer.code;
    draft.contentType = line.answer.headers['content-type'] ?? '';
    draft.isPacked = line.answer.headers['content-encoding'] === 'gzip';
  } else if ('part' in line) draft.parts.push({ ms, bytes: bytesOf(line.part) });
  else {
    draft.endMs = ms;
    draft.isComplete = line.end === 'complete';
  }
}
