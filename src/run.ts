/** Runs the command that the command line names. */
import { helpText, readCommand } from './config/config.ts';
import { chooseRelease } from './release/release.ts';
import { chooseDialect } from './semantics/dialect/own-names.ts';
import { versionText } from './version.ts';

/**
 * Reads the command, chooses the dialect and the release, and only then loads the server, whose
 * modules depend on them (src/semantics/dialect/README.md#own-names). Resolves when it has been
 * done, or the server serves. Rejects when it cannot.
 */
export async function run(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  if (command.run === 'help')
    process.stdout.write(helpText(command.release, process.env['SHARDPLANE_CALLED']));
  else if (command.run === 'version') process.stdout.write(`${versionText()}\n`);
  else {
    chooseDialect(command.config.apiDomain);
    chooseRelease(command.config.release);
    if (command.run === 'serve') {
      const { serve } = await import('./server.ts');
      await serve(command.config);
    } else {
      const { writeClientCertificate } = await import('./client-certificate.ts');
      process.stdout.write(await writeClientCertificate(command.config, command.client));
    }
  }
}
