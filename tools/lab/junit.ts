/** The report of a replay as JUnit XML, one test for each request. */
import { escapeHtml } from '../../src/base/text/escape-html.ts';
import type { Outcome } from './replay.ts';

const MS = 1_000;

export function junitText(suite: string, outcomes: readonly Outcome[]): string {
  const failures = outcomes.filter(({ differences }) => differences.length > 0).length;
  const tests = outcomes.map(({ played: { n, request }, ms, differences }) => {
    const name = quoted(`${n} ${request.method} ${request.url}`);
    const head = `  <testcase name="${name}" time="${(ms / MS).toFixed(3)}"`;
    if (differences.length === 0) return `${head}/>`;
    const first = quoted(differences[0] ?? '');
    const all = quoted(differences.join('\n'));
    return `${head}><failure message="${first}">${all}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${quoted(suite)}" tests="${outcomes.length}" failures="${failures}">`,
    ...tests,
    '</testsuite>',
    '',
  ].join('\n');
}

/** In attributes as well; of control characters XML has none. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is replaced
  return escapeHtml(text.replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, ' ')).replaceAll(
    '"',
    '&quot;',
  );
}
