/** Outcomes as JUnit XML. */
import { quoted } from '../report/html.ts';

const MS = 1_000;

export interface JunitCase {
  readonly name: string;
  readonly ms: number;
  /** What is wrong, a line each. */
  readonly failures: readonly string[];
}

export function junitText(suite: string, cases: readonly JunitCase[]): string {
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const tests = cases.map(({ name, ms, failures }) => {
    const head = `  <testcase name="${plain(name)}" time="${(ms / MS).toFixed(3)}"`;
    if (failures.length === 0) return `${head}/>`;
    const first = plain(failures[0] ?? '');
    return `${head}><failure message="${first}">${plain(failures.join('\n'))}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${plain(suite)}" tests="${cases.length}" failures="${failed}">`,
    ...tests,
    '</testsuite>',
    '',
  ].join('\n');
}

/** Of control characters XML has none. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is replaced
  return quoted(text.replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, ' '));
}
