/**
 * Finds links in HTML on its way, byte for byte as it came but for them: a tokenizer as browsers
 * have it (WHATWG HTML 13.2.5), as far as it says where tags and their attributes are. Nothing is
 * kept but the value of one link. Text is one character for each byte: all that counts is ASCII, so
 * that the page may be written in whatever has that as it is.
 */
import { LINK_BYTES_MAX } from '../limits.ts';

/** Which attributes of which elements are links, as the reference has it. */
const LINKS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    a: 'href',
    applet: 'codebase',
    area: 'href',
    audio: 'src',
    base: 'href',
    blockquote: 'cite',
    body: 'background',
    button: 'formaction',
    command: 'icon',
    del: 'cite',
    embed: 'src',
    form: 'action',
    frame: 'longdesc src',
    head: 'profile',
    html: 'manifest',
    iframe: 'longdesc src',
    img: 'longdesc src usemap',
    input: 'src usemap formaction',
    ins: 'cite',
    link: 'href',
    object: 'classid codebase data usemap',
    q: 'cite',
    script: 'src',
    source: 'src',
    video: 'poster src',
  }).map(([element, attributes]) => [element, new Set(attributes.split(' '))]),
);

/** Elements whose content is text up to their end tag; of `plaintext` there is none. */
const OF_TEXT: ReadonlySet<string> = new Set(
  'iframe noembed noframes noscript plaintext script style textarea title xmp'.split(' '),
);

/** Longer names of elements and attributes are none of these. */
const NAME_CHARACTERS_MAX = 16;
/** As much of a comment as says whether a `>` ends it. */
const COMMENT_TAIL = 3;

const LETTER = /[a-z]/i;
const BLANK = /[\t\n\f\r ]/;
const TAG_NAME_END = /[\t\n\f\r />]/g;
const ATTRIBUTE_NAME_END = /[\t\n\f\r />=]/g;
const BARE_VALUE_END = /[\t\n\f\r >]/g;
const NO_LETTER = /[^a-z]/gi;

/** In what the next character is. */
type Place =
  | 'text'
  | 'tag'
  | 'endTag'
  | 'declaration'
  | 'comment'
  | 'bogus'
  | 'tagName'
  | 'attributes'
  | 'attributeName'
  | 'attributeEnd'
  | 'valueStart'
  | 'value'
  | 'ownText'
  | 'ownTag'
  | 'ownEndTag';

export class HtmlLinks {
  readonly #rewritten: (value: string) => string;
  #place: Place = 'text';
  /** The name of the element or attribute, in lower case, as far as it is read. */
  #name = '';
  /** The element of the start tag; '' in an end tag. */
  #element = '';
  #isStart = false;
  /** The attributes of the tag that are links. */
  #links: ReadonlySet<string> | undefined;
  /** Around the value; '' for none. */
  #quote = '';
  /** The value of a link, as far as it is read; undefined outside of one. */
  #held: string | undefined;
  /** The length of a comment, or of what may be one; `#tail` is what it ends with. */
  #length = 0;
  #tail = '';
  /** The output for the text that is looked at, up to `#copied`. */
  #out = '';
  #copied = 0;

  /** `rewritten` is given the value of a link as it stands in its tag, and gives another one. */
  constructor(rewritten: (value: string) => string) {
    this.#rewritten = rewritten;
  }

  /** Takes more of the page, and gives what it becomes, but for a link that has begun. */
  push(text: string): string {
    this.#out = '';
    this.#copied = 0;
    for (let at = 0; at < text.length;) at = this.#step(text, at);
    if (this.#held === undefined) return this.#out + text.slice(this.#copied);
    return this.#out + (this.#held.length > LINK_BYTES_MAX ? this.end() : '');
  }

  /** The link that the page ends in, or that is too long to be one. */
  end(): string {
    const held = this.#held ?? '';
    this.#held = undefined;
    return held;
  }

  /** Takes at least one character, or goes to another place; gives where it has stopped. */
  #step(text: string, at: number): number {
    switch (this.#place) {
      case 'text':
        return this.#past('<', 'tag', text, at);
      case 'bogus':
        return this.#past('>', 'text', text, at);
      case 'tag':
        return this.#tag(text, at);
      case 'endTag':
        return this.#endTag(text, at);
      case 'declaration':
        return this.#declaration(text, at);
      case 'comment':
        return this.#comment(text, at);
      case 'tagName':
        return this.#tagName(text, at);
      case 'attributes':
        return this.#attributes(text, at);
      case 'attributeName':
        return this.#attributeName(text, at);
      case 'attributeEnd':
        return this.#attributeEnd(text, at);
      case 'valueStart':
        return this.#valueStart(text, at);
      case 'value':
        return this.#value(text, at);
      case 'ownText':
        return this.#element === 'plaintext' ? text.length : this.#past('<', 'ownTag', text, at);
      case 'ownTag':
        return this.#ownTag(text, at);
      case 'ownEndTag':
        return this.#ownEndTag(text, at);
    }
  }

  /** Goes on behind the next such character. */
  #past(character: string, next: Place, text: string, at: number): number {
    const found = text.indexOf(character, at);
    if (found === -1) return text.length;
    this.#place = next;
    return found + 1;
  }

  /** Goes on there, with the character at `at`. */
  #goTo(place: Place, at: number): number {
    this.#place = place;
    return at;
  }

  #tag(text: string, at: number): number {
    const character = text.charAt(at);
    if (LETTER.test(character)) return this.#begin(true, at);
    this.#length = 0;
    if (character === '/') return this.#goTo('endTag', at + 1);
    if (character === '!') return this.#goTo('declaration', at + 1);
    return this.#goTo(character === '?' ? 'bogus' : 'text', at);
  }

  #endTag(text: string, at: number): number {
    return LETTER.test(text.charAt(at)) ? this.#begin(false, at) : this.#goTo('bogus', at);
  }

  #begin(isStart: boolean, at: number): number {
    this.#isStart = isStart;
    this.#name = '';
    return this.#goTo('tagName', at);
  }

  /** Behind `<!`: two dashes begin a comment. */
  #declaration(text: string, at: number): number {
    if (text.charAt(at) !== '-') return this.#goTo('bogus', at);
    this.#length += 1;
    if (this.#length < 2) return at + 1;
    this.#length = 0;
    this.#tail = '';
    return this.#goTo('comment', at + 1);
  }

  #comment(text: string, at: number): number {
    const found = text.indexOf('>', at);
    const end = found === -1 ? text.length : found;
    const tail = this.#tail + text.slice(Math.max(at, end - COMMENT_TAIL), end);
    this.#tail = tail.slice(-COMMENT_TAIL);
    this.#length += end - at;
    if (found === -1) return end;
    const isOver = /--!?$/.test(this.#tail) || (this.#length < 2 && /^-?$/.test(this.#tail));
    if (isOver) this.#place = 'text';
    else this.#tail += '>';
    this.#length += 1;
    return found + 1;
  }

  #tagName(text: string, at: number): number {
    const end = this.#readName(TAG_NAME_END, text, at);
    if (end === text.length) return end;
    this.#element = this.#isStart ? this.#name : '';
    this.#links = LINKS.get(this.#element);
    return this.#goTo('attributes', end);
  }

  /** Adds to the name what comes before a character that ends it. */
  #readName(ending: RegExp, text: string, at: number): number {
    const end = indexOf(ending, text, at);
    const left = NAME_CHARACTERS_MAX - this.#name.length;
    this.#name += text.slice(at, Math.min(end, at + left)).toLowerCase();
    return end;
  }

  /** Between attributes. */
  #attributes(text: string, at: number): number {
    const character = text.charAt(at);
    if (character === '>') return this.#endOfTag(at);
    if (character === '/' || BLANK.test(character)) return at + 1;
    this.#name = character.toLowerCase();
    return this.#goTo('attributeName', at + 1);
  }

  #endOfTag(at: number): number {
    return this.#goTo(OF_TEXT.has(this.#element) ? 'ownText' : 'text', at + 1);
  }

  #attributeName(text: string, at: number): number {
    const end = this.#readName(ATTRIBUTE_NAME_END, text, at);
    return end === text.length ? end : this.#goTo('attributeEnd', end);
  }

  #attributeEnd(text: string, at: number): number {
    const character = text.charAt(at);
    if (character === '=') return this.#goTo('valueStart', at + 1);
    return BLANK.test(character) ? at + 1 : this.#goTo('attributes', at);
  }

  #valueStart(text: string, at: number): number {
    const character = text.charAt(at);
    if (BLANK.test(character)) return at + 1;
    if (character === '>') return this.#endOfTag(at);
    const isQuoted = character === '"' || character === "'";
    this.#quote = isQuoted ? character : '';
    const start = isQuoted ? at + 1 : at;
    if (this.#links?.has(this.#name) === true) {
      this.#held = '';
      this.#out += text.slice(this.#copied, start);
      this.#copied = start;
    }
    return this.#goTo('value', start);
  }

  #value(text: string, at: number): number {
    const quote = this.#quote;
    const found = quote === '' ? indexOf(BARE_VALUE_END, text, at) : text.indexOf(quote, at);
    const end = found === -1 ? text.length : found;
    if (this.#held !== undefined) {
      this.#held += text.slice(at, end);
      this.#copied = end;
    }
    if (end === text.length) return end;
    if (this.#held !== undefined) this.#out += this.#rewritten(this.end());
    return this.#goTo('attributes', quote === '' ? end : end + 1);
  }

  /** Behind a `<` in the text of an element: only its own end tag is one there. */
  #ownTag(text: string, at: number): number {
    this.#name = '';
    return text.charAt(at) === '/' ? this.#goTo('ownEndTag', at + 1) : this.#goTo('ownText', at);
  }

  #ownEndTag(text: string, at: number): number {
    const end = this.#readName(NO_LETTER, text, at);
    if (end === text.length) return end;
    const isOver = this.#name === this.#element && /[\t\n\f\r />]/.test(text.charAt(end));
    if (!isOver) return this.#goTo('ownText', end);
    this.#element = '';
    this.#links = undefined;
    return this.#goTo('attributes', end);
  }
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
