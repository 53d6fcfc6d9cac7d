/** A fenced block, with the information of its fence and of the comments right before it. */
export interface Block {
  /** `docs/users/quick-start.md:12`, for messages. */
  readonly at: string;
  /** The text after the language of the fence; empty without. */
  readonly language: string;
  readonly text: string;
  /** `<!-- not run: reason -->` before it, `output` or `file=a.mjs` after its language: name and the rest. */
  readonly marks: ReadonlyMap<string, string>;
}

export interface Link {
  readonly at: string;
  readonly target: string;
}

/** A line outside of fences, numbered from 1. */
export interface Line {
  readonly at: string;
  readonly text: string;
}

const FENCE = /^(\s*)(`{3,})\s*([\w-]*)(.*)$/;
const MARK = /^\s*<!--\s*([a-z][a-z ]*?)(?::\s*(.*?))?\s*-->\s*$/;

/** A parsed page of the documentation: the subset of Markdown that the pages use. */
export class Page {
  readonly blocks: Block[] = [];
  readonly prose: Line[] = [];

  constructor(
    /** From the root of the repository. */
    readonly path: string,
    text: string,
  ) {
    this.#read(text.split('\n'));
  }

  /** Names of the headings, as links to the page use them (GitHub’s rule). */
  get anchors(): ReadonlySet<string> {
    const headings = this.prose.flatMap(({ text }) => /^#{1,6}\s+(.+?)\s*#*$/.exec(text)?.[1] ?? []);
    return new Set(headings.map(toAnchor));
  }

  get links(): Link[] {
    return this.prose.flatMap(({ at, text }) =>
      [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ at, target })),
    );
  }

  /** Texts in single backticks. */
  get codes(): Line[] {
    return this.prose.flatMap(({ at, text }) =>
      [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ at, text: code })),
    );
  }

  #read(lines: readonly string[]): void {
    let marks = new Map<string, string>();
    for (let index = 0; index < lines.length; index += 1) {
      const text = lines[index] ?? '';
      const at = `${this.path}:${index + 1}`;
      const [, indent = '', ticks = '', language = '', info = ''] = FENCE.exec(text) ?? [];
      const [, mark = '', value = ''] = MARK.exec(text) ?? [];
      if (ticks) {
        const end = lines.findIndex((line, below) => below > index && line.trim() === ticks);
        if (end < 0) throw new Error(`${at}: the block has no end`);
        for (const word of info.split(' ').filter(Boolean)) {
          const [name = '', ...rest] = word.split('=');
          marks.set(name, rest.join('='));
        }
        const inside = lines.slice(index + 1, end).map((line) => line.replace(indent, ''));
        this.blocks.push({ at, language, text: inside.join('\n'), marks });
        index = end;
        marks = new Map();
      } else if (mark) {
        marks.set(mark, value);
      } else {
        this.prose.push({ at, text });
        if (text.trim()) marks = new Map();
      }
    }
  }
}

/**
 * Lower case, without characters other than letters, digits, blanks, hyphens and underscores; blanks become hyphens.
 */
export function toAnchor(heading: string): string {
  const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
