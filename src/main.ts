/**
 * The program: reads the command, chooses the dialect, and only then loads the server, whose
 * modules take their names from the dialect (src/semantics/dialect/README.md#own-names).
 */
import { fail } from './fail.ts';
import { helpText, readCommand } from './config/config.ts';
import { chooseDialect } from './semantics/dialect/own-names.ts';
import { programVersion } from './version.ts';

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (command.run === 'help') process.stdout.write(helpText());
  else if (command.run === 'version') process.stdout.write(`shardplane ${programVersion()}\n`);
  else {
    chooseDialect(command.config.apiDomain);
    if (command.run === 'serve') {
      const { serve } = await import('./server.ts');
      await serve(command.config);
    } else {
      const { writeClientCertificate } = await import('./client-certificate.ts');
      process.stdout.write(await writeClientCertificate(command.config, command.client));
    }
  }
}

main().catch((error: unknown) => fail(error instanceof Error ? error : new Error(String(error))));
