/** Operations have these costs, estimated or counted: 1 is some 50 ns in the reference. */

export const SELECT_COST = 1;
export const LIST_COST = 10;
export const MAP_COST = 30;
export const MESSAGE_COST = 40;
/** The cost of a question whether somebody may do something. */
export const ACCESS_COST = 350_000;
/** The cost of each character of a text that is read once. */
export const CHARACTER_COST = 0.1;
/** The cost of each character of a pattern, for each that a text costs. */
export const PATTERN_COST = 0.25;
/** The characters of the longest pattern that a named format has. */
export const FORMAT_PATTERN_CHARACTERS_MAX = 128;
/** The characters of the longest name of a format. */
export const FORMAT_CHARACTERS_MAX = 64;
