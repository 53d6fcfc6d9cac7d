import { type PlaceholderText } from './placeholder-text';
import { nameFault } from './variable-name';

/** The content of a placeholder: a variable with an optional default, or texts of which one is chosen. */
export type Placeholder =
  | { readonly type: 'variable'; readonly name: string; readonly fallback: string | null }
  | { readonly type: 'spin'; readonly options: readonly string[] };

/** The reason why the text is not a placeholder, with the offset of the mistake in the source. */
export interface PlaceholderFault {
  readonly type: 'fault';
  readonly message: string;
  readonly offset: number;
}

/** `\s` and the zero-width space that editors insert. */
const BLANK = /[\s\u200b]*/y;
const TOKEN = /[^\s\u200b|:,"“”„]*/y;
/** Word processors replace straight quotes with these characters. */
const CURLY = '“”„';
const SHOWN = 40;

/**
 * Parses the text between braces:
 *
 *     firstName
 *     firstName | default: "there"
 *     spin: "Hi", "Hello"
 *
 * Texts are literal and in double quotes; `\"` and `\\` escape a quote and a backslash. Placeholders in them stay text.
 */
export function parsePlaceholder(source: PlaceholderText): Placeholder | PlaceholderFault {
  try {
    return new PlaceholderReader(source.text).read();
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    return { type: 'fault', message: fault.message, offset: source.offsetOf(fault.at) };
  }
}

class Unreadable extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

class PlaceholderReader {
  private at = 0;

  constructor(private readonly text: string) {}

  read(): Placeholder {
    this.match(BLANK);
    if (this.ended()) throw new Unreadable('There is nothing between the braces; write {{firstName}}', 0);
    const start = this.at;
    const name = this.match(TOKEN);
    this.match(BLANK);
    if (name === 'spin' && this.accept(':')) return { type: 'spin', options: this.options(start) };
    this.checkName(name, start);
    const fallback = this.fallback();
    if (!this.ended()) {
      const found = shown(this.text.slice(this.at));
      throw new Unreadable(
        `${found} is not understood here; a name has no spaces, and a default is written {{name | default: "text"}}`,
        this.at,
      );
    }
    return { type: 'variable', name, fallback };
  }

  private checkName(name: string, start: number): void {
    if (name === '') throw new Unreadable(`There is no name before ${shown(this.text.slice(start))}`, start);
    if (/^[^}]+\}$/.test(name)) throw new Unreadable('The braces must be closed with two of them: }}', start);
    const fault = nameFault(name);
    if (fault !== null) throw new Unreadable(`${shown(name)} cannot be a name: ${fault}`, start);
  }

  private fallback(): string | null {
    let fallback: string | null = null;
    while (this.accept('|')) {
      const start = this.at;
      const filter = this.match(TOKEN);
      this.match(BLANK);
      if (filter !== 'default') {
        const what = filter === '' ? 'There is no filter after |' : `Unknown filter ${shown(filter)}`;
        throw new Unreadable(`${what}; there is only default, as in {{name | default: "text"}}`, start);
      }
      if (fallback !== null) throw new Unreadable('There are two defaults; one is enough', start);
      if (!this.accept(':')) throw new Unreadable('default needs a text, as in {{name | default: "text"}}', start);
      fallback = this.string();
    }
    return fallback;
  }

  private options(start: number): string[] {
    if (this.ended()) throw new Unreadable('spin has no options; write {{ spin: "Hi", "Hello" }}', start);
    const options = [this.string()];
    while (this.accept(',')) options.push(this.string());
    if (!this.ended()) {
      const found = shown(this.text.slice(this.at));
      throw new Unreadable(`${found} is not understood here; options are separated by commas`, this.at);
    }
    return options;
  }

  private string(): string {
    const start = this.at;
    const quote = this.text[start] ?? '';
    const closing = CURLY.includes(quote) ? CURLY : '"';
    if (quote === '' || (quote !== '"' && closing === '"')) {
      throw new Unreadable('A text in double quotes is expected here', start);
    }
    let value = '';
    for (this.at = start + 1; !this.ended(); this.at += 1) {
      const char = this.text[this.at] ?? '';
      const next = this.text[this.at + 1];
      if (char === '\\' && next !== undefined && (next === '\\' || closing.includes(next))) {
        value += next;
        this.at += 1;
      } else if (closing.includes(char)) {
        this.at += 1;
        this.match(BLANK);
        return value;
      } else {
        value += char;
      }
    }
    throw new Unreadable('The text that begins here has no closing quote before the braces end', start);
  }

  private accept(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    this.match(BLANK);
    return true;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private ended(): boolean {
    return this.at >= this.text.length;
  }
}

/** The beginning of the unexpected text, in quotes. */
function shown(found: string): string {
  const text = found.trim().replace(/\s+/g, ' ');
  return `"${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}"`;
}
