/** `npm run lab -- report`: two reports in one page. */
import { OptionsError, parseOptions } from '../flags.ts';
import type { Output } from '../output.ts';
import { textOf } from '../backup/target.ts';
import { comparisonPage } from '../report/page.ts';
import { readReport, writeReportFile } from '../report/report.ts';

/** Rejects with OptionsError; returns the exit code. */
export async function runReport(args: readonly string[], output: Output): Promise<number> {
  const files = args.slice(0, 2).filter((arg) => !arg.startsWith('-'));
  const given = parseOptions({ to: { value: 'FILE.html' } }, args.slice(files.length));
  if (given['help'] === true) {
    output.write('Usage: npm run lab -- report A B [--to FILE.html]\n');
    return 0;
  }
  const [first, second] = files;
  if (first === undefined || second === undefined) throw new OptionsError('give two reports');
  const to = textOf(given, 'to') || 'reports.html';
  writeReportFile(to, comparisonPage(readReport(first), readReport(second)));
  output.write(`${to}\n`);
  return 0;
}
