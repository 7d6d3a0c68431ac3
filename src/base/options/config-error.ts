/** A line for the user that says what is wrong with the options and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(message: string) {
    // The parsers' own texts have several lines.
    super(message.replaceAll(/\s+/g, ' ').trim());
  }
}
