/**
 * The notation of these tests, which is that of a terminal:
 *
 *     $ kubectl create configmap a --from-literal=x=1     a command, run by sh
 *     configmap/a created                                 its stdout
 *     $ kubectl apply -f - <<END                          a command over several lines
 *     > kind: ConfigMap
 *     > END
 *     ! Error from server (NotFound): …                   a line of its stderr
 *     exit 1                                              its exit code, where it is not 0
 *     $ kubectl get configmaps --watch &                  runs on until the transcript ends
 *     & a   1   <age>                                     a line that it says by now
 *     & exit 0                                            it has ended by now
 *
 * `# since 1.24` after a command leaves it out for an older kubectl. In what is expected, `...` as
 * a line stands for any lines, two spaces inside a line for the space between two columns, and the
 * names of PATTERNS for what differs from run to run.
 */

export interface Release {
  readonly major: number;
  readonly minor: number;
}

export interface Step {
  readonly command: string;
  readonly background: boolean;
  readonly since?: Release;
  /** Patterns of lines, as `LineMatcher` takes them. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly exitCode: number;
  /** Lines of the command in the background after this command, and whether it ends. */
  readonly later: readonly string[];
}

type Draft = { -readonly [Key in keyof Step]: Step[Key] } & {
  stdout: string[];
  stderr: string[];
  later: string[];
};

const PATTERNS: Readonly<Record<string, string>> = {
  '<any>': '.*',
  '<age>': '(?:\\d+[smhdy])+',
  '<n>': '\\d+',
  '<id>': '[bcdfghjklmnpqrstvwxz2456789]{5,10}',
  '<uid>': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '<time>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
  '<date>': '\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d [+-]\\d{4}',
  '<ip>': '\\d+\\.\\d+\\.\\d+\\.\\d+',
  '<server>': 'https://127\\.0\\.0\\.1:\\d+',
};
const COLUMN_GAP = '(?: {2,}|\\t+)';
const NAMES = new RegExp(`${Object.keys(PATTERNS).join('|')}| {2,}`, 'g');
const SINCE = /(?:^|\s+)# since (\d+)\.(\d+)$/;

/** Reads a transcript, indented or not. Throws where it is not one. */
export function parseTranscript(text: string): Step[] {
  const steps: Draft[] = [];
  for (const line of dedent(text)) {
    const step = steps.at(-1);
    if (line.startsWith('$ ')) steps.push(draftOf(line.slice(2)));
    else if (step === undefined) throw new Error(`a transcript begins with a command: ${line}`);
    else if (line.startsWith('> ') || line === '>') continueCommand(step, line.slice(2));
    else if (line.startsWith('! ')) step.stderr.push(line.slice(2));
    else if (line.startsWith('& ')) step.later.push(line.slice(2));
    else if (/^exit \d+$/.test(line)) step.exitCode = Number(line.slice('exit '.length));
    else step.stdout.push(line);
  }
  return steps;
}

function draftOf(line: string): Draft {
  const step: Draft = {
    command: '',
    background: false,
    stdout: [],
    stderr: [],
    exitCode: 0,
    later: [],
  };
  continueCommand(step, line);
  return step;
}

function continueCommand(step: Draft, line: string): void {
  const [comment, major, minor] = SINCE.exec(line) ?? [];
  if (comment !== undefined) step.since = { major: Number(major), minor: Number(minor) };
  const text = line.slice(0, line.length - (comment?.length ?? 0));
  step.background = text.endsWith(' &');
  const command = step.background ? text.slice(0, -' &'.length) : text;
  step.command = step.command === '' ? command : `${step.command}\n${command}`;
}

/** The lines between the first and the last, without the indentation of the first. */
function dedent(text: string): string[] {
  const lines = text.replace(/^\n/, '').trimEnd().split('\n');
  const indentation = /^ */.exec(lines[0] ?? '')?.[0] ?? '';
  return lines.map((line) =>
    line.startsWith(indentation) ? line.slice(indentation.length) : line,
  );
}

export function isOlder(release: Release, than: Release): boolean {
  if (release.major !== than.major) return release.major < than.major;
  return release.minor < than.minor;
}

const expressions = new Map<string, RegExp>();

/** Whether a line is as the pattern says; spaces at its end do not count. */
export function lineMatches(pattern: string, line: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    const indentation = /^ */.exec(pattern)?.[0] ?? '';
    const source = pattern
      .slice(indentation.length)
      .replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      .replaceAll(NAMES, (name) => PATTERNS[name] ?? COLUMN_GAP);
    expression = new RegExp(`^${indentation}${source}$`);
    expressions.set(pattern, expression);
  }
  return expression.test(line.trimEnd());
}

/** Whether the lines are as the patterns say, `...` being any number of them. */
export function linesMatch(patterns: readonly string[], lines: readonly string[]): boolean {
  // The patterns that may come next, after each line read so far.
  let open = passGaps(patterns, new Set([0]));
  for (const line of lines) {
    const next = new Set<number>();
    for (const at of open) {
      const pattern = patterns[at];
      if (pattern === '...') next.add(at);
      else if (pattern !== undefined && lineMatches(pattern, line)) next.add(at + 1);
    }
    open = passGaps(patterns, next);
  }
  return open.has(patterns.length);
}

function passGaps(patterns: readonly string[], places: Set<number>): Set<number> {
  for (const at of places) if (patterns[at] === '...') places.add(at + 1);
  return places;
}

/** The lines of an output; a line end at its end begins no other line. */
export function linesOf(output: string): string[] {
  const text = output.trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}
