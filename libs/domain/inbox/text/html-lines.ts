import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { type Mark, findMark } from './html-marks';
import { cleanLine, type Line, type LineKind, MAX_CHARS } from './line';

/** Elements that begin and end on a line of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section table tr ul'
  ).split(' '),
);
/** Blocks with a blank line before and after. */
const SPACED: ReadonlySet<string> = new Set('blockquote dl h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '));
/** Elements with an explicit end tag; others (`p`, `li`, `td`) end implicitly. */
const NESTED: ReadonlySet<string> = new Set(
  'article aside blockquote center div footer header main pre section table'.split(' '),
);
const INLINE_REGIONS: ReadonlySet<string> = new Set(['span', 'font', 'i', 'b', 'a']);
/** Elements whose content is no text, with the tokenizer state for their content. */
const OPAQUE: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
]);

interface Region {
  readonly tag: string;
  readonly mark: Mark | null;
}

/** Converts a token stream to lines without building a tree: the cost is linear, whatever the nesting. */
class LineWriter {
  readonly lines: Line[] = [];
  private text = '';
  private flags: { cut?: boolean; rule?: boolean } = {};
  private readonly open: Region[] = [];
  private readonly amount = new Map<string, number>();
  private readonly marks: Record<Mark, number> = { quote: 0, indent: 0, cut: 0, rule: 0, signature: 0, hidden: 0 };
  /** Name of the open element whose content is ignored. */
  private opaque: string | null = null;

  start({ tagName, attrs, selfClosing }: Token.TagToken): void {
    if (this.opaque !== null) return;
    if (OPAQUE.has(tagName) && !selfClosing) this.opaque = tagName;
    else if (tagName === 'br') this.endLine();
    else this.startElement(tagName, new Map(attrs.map(({ name, value }) => [name, value])));
  }

  end(tag: string): void {
    if (this.opaque !== null) {
      if (this.opaque === tag) this.opaque = null;
      return;
    }
    if (BLOCKS.has(tag)) this.endBlock(tag);
    if ((this.amount.get(tag) ?? 0) === 0) return;
    // A stray inline end tag does not end the blocks around it.
    if (INLINE_REGIONS.has(tag) && this.open.at(-1)?.tag !== tag) return;
    for (let region = this.open.pop(); region !== undefined; region = this.open.pop()) {
      this.count(region, -1);
      if (region.tag === tag) return;
    }
  }

  write(characters: string): void {
    if (this.opaque !== null || this.marks.hidden > 0) return;
    if (this.amount.get('pre')) {
      const [first = '', ...others] = characters.split('\n');
      this.text += first;
      for (const line of others) {
        this.endLine();
        this.text += line;
      }
      return;
    }
    const text = characters.replace(/[ \t\n\r\f]+/g, ' ');
    this.text += this.text === '' || this.text.endsWith(' ') ? text.trimStart() : text;
  }

  finish(): Line[] {
    if (this.text !== '') this.endLine();
    return this.lines;
  }

  private startElement(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (BLOCKS.has(tag)) this.endBlock(tag);
    const mark = findMark(tag, attributes);
    if (mark === 'cut' || mark === 'rule') {
      if (this.text !== '') this.endLine();
      this.flags[mark] = true;
    }
    if (tag === 'li') this.write('- ');
    if (tag === 'td' || tag === 'th') this.write(' ');
    if (!NESTED.has(tag) && !(mark !== null && INLINE_REGIONS.has(tag))) return;
    const region = { tag, mark };
    this.open.push(region);
    this.count(region, 1);
  }

  private count({ tag, mark }: Region, by: number): void {
    this.amount.set(tag, (this.amount.get(tag) ?? 0) + by);
    if (mark === null) return;
    // The current line has another kind than the text that follows.
    if (mark !== 'hidden' && this.text.trim() !== '') this.endLine();
    this.marks[mark] += by;
  }

  /** Ends the current line and adds one blank line around paragraphs and similar blocks. */
  private endBlock(tag: string): void {
    if (this.text.trim() !== '') this.endLine();
    this.text = '';
    if (SPACED.has(tag) && this.lines.length > 0 && this.lines.at(-1)?.text !== '') this.endLine();
  }

  private endLine(): void {
    this.lines.push({ text: cleanLine(this.text), kind: this.kind(), ...this.flags });
    this.text = '';
    this.flags = {};
  }

  private kind(): LineKind {
    if (this.marks.quote > 0) return 'quote';
    return this.marks.signature > 0 ? 'signature' : 'own';
  }
}

/** Returns the visible lines of HTML; their kinds follow from the markup of quotes and signatures. */
export function parseHtmlLines(html: string): Line[] {
  const writer = new LineWriter();
  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      onStartTag(token: Token.TagToken) {
        const state = OPAQUE.get(token.tagName);
        if (state !== undefined) tokenizer.state = state;
        writer.start(token);
      },
      onEndTag: (token: Token.TagToken) => writer.end(token.tagName),
      onCharacter: (token: Token.CharacterToken) => writer.write(token.chars),
      onWhitespaceCharacter: (token: Token.CharacterToken) => writer.write(token.chars),
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html.slice(0, MAX_CHARS), true);
  return writer.finish();
}
