/**
 * `npm run soak`: many watches of a server of this API under writes, each checked for every change
 * it must get. `soak.ts` is a run; `plan.ts` says why what a watch must get is known in advance.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readKubeconfig } from './kubeconfig.ts';
import { OptionsError } from '../flags.ts';
import { helpText, readOptions } from './options.ts';
import type { SoakOptions } from './options.ts';
import { reportPage } from '../report/page.ts';
import { isPage, writeReportFile } from '../report/report.ts';
import { summary } from './report.ts';
import { soakPage } from './soak-page.ts';
import { Soak } from './soak.ts';
import { targetFrom, TargetError } from './target.ts';
import type { Target } from './target.ts';

const DEFAULT_KUBECONFIG = './.shardplane/admin.kubeconfig';
/** A terminal and what started this process may both deliver one Ctrl-C. */
const REPEATED_SIGNAL_MS = 1_000;
const EXIT_OF_USAGE = 2;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(helpText());
    return 0;
  }
  const target = findTarget(options);
  // Now, and not after the run: it would be lost.
  if (options.report !== '') writeReportFile(options.report, '');
  const soak = new Soak(options, target, process.stdout);
  process.stdout.on('error', () => soak.interrupt());
  let signalledAt = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (signalledAt > -Infinity && now - signalledAt > REPEATED_SIGNAL_MS) {
        process.exit(1);
      }
      if (signalledAt === -Infinity) signalledAt = now;
      soak.interrupt();
    });
  }
  const report = await soak.run();
  if (options.report !== '') {
    const text = isPage(options.report)
      ? reportPage(soakPage(report))
      : `${JSON.stringify(report, undefined, 2)}\n`;
    writeReportFile(options.report, text);
  }
  for (const line of summary(report)) process.stdout.write(`${line}\n`);
  return report.verdict === 'PASS' ? 0 : 1;
}

function findTarget(options: SoakOptions): Target {
  const { server, token, tokenFile, certificateAuthority, context } = options;
  if (server !== '') {
    return targetFrom(server, {
      token: tokenFile === '' ? token : readText(tokenFile).trim(),
      certificateAuthority: certificateAuthority === '' ? '' : readText(certificateAuthority),
      clientCertificate: '',
      clientKey: '',
      skipTlsVerify: options.insecureSkipTlsVerify,
      tlsServerName: '',
    });
  }
  const file = options.kubeconfig || DEFAULT_KUBECONFIG;
  if (options.kubeconfig === '' && !existsSync(file)) {
    throw new TargetError(
      `which server? Give --server URL or --kubeconfig FILE (there is no ${file})`,
    );
  }
  const found = readKubeconfig(file, context);
  return targetFrom(found.server, found.credentials);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TargetError((error as Error).message);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OptionsError) && !(error instanceof TargetError)) throw error;
  process.stderr.write(`soak: ${error.message}\n`);
  process.exitCode = EXIT_OF_USAGE;
}
