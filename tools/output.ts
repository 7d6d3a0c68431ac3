/** Where the output of a tool goes. */
export interface Output {
  write(text: string): void;
  /** A line for the user. */
  say(line: string): void;
}

/** The output of a process; lines begin with the name of the tool. */
export function processOutput(name: string): Output {
  return {
    write: (text) => process.stdout.write(text),
    say: (line) => process.stderr.write(`${name}: ${line}\n`),
  };
}
