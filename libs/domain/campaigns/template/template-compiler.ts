import { firstTag, lineBreaksToHtml } from './plain-body';
import { parsePlaceholder, type Placeholder } from './placeholder';
import { placeholderText } from './placeholder-text';
import { HTML_START, placeAfter } from './tag-position';
import {
  type CompiledTemplate,
  type TemplateError,
  type TemplateKind,
  type TemplateNeed,
  type TemplatePart,
} from './template';
import { fitValue, oneLine } from './template-values';

/** Maximum number of reported errors. */
const MAX_ERRORS = 50;
const LINE_END = /\r\n|[\n\r]/g;
const LINE_BREAK = /[\n\v\f\r\x85\u2028\u2029]/;

/**
 * Compiles a source of the merge language (see `parsePlaceholder`), or returns its errors, one for each placeholder.
 * A placeholder ends at the first `}}`, even inside a text. HTML without a tag is pasted plain text: its
 * line breaks become `<br>`. The time is linear in the length of any source; the function never throws.
 */
export function compileTemplate(source: string, kind: TemplateKind): CompiledTemplate {
  return new Compilation(source, kind).run();
}

class Compilation {
  private readonly parts: TemplatePart[] = [];
  private readonly variables = new Set<string>();
  /** Required variables by place and name. */
  private readonly needs = new Map<string, TemplateNeed>();
  private readonly faults: { message: string; offset: number }[] = [];
  private readonly isPasted: boolean;
  private html = HTML_START;
  private spins = 0;

  constructor(
    private readonly source: string,
    private readonly kind: TemplateKind,
  ) {
    this.isPasted = kind === 'html' && firstTag(source) < 0;
  }

  run(): CompiledTemplate {
    const breakAt = this.kind === 'subject' ? this.source.search(LINE_BREAK) : -1;
    if (breakAt >= 0) this.faults.push({ message: 'A subject is one line', offset: breakAt });
    let at = 0;
    while (this.faults.length < MAX_ERRORS) {
      const open = this.source.indexOf('{{', at);
      if (open < 0) break;
      this.literal(at, open);
      at = this.placeholder(open);
    }
    this.literal(at, this.source.length);
    if (this.faults.length > 0) return { ok: false, errors: located(this.source, this.faults) };
    const { kind, parts, variables, needs } = this;
    return { ok: true, template: { kind, variables: [...variables], needs: [...needs.values()], parts } };
  }

  private literal(start: number, end: number): void {
    if (start >= end) return;
    const text = this.source.slice(start, end);
    if (this.kind === 'html') this.html = placeAfter(this.html, text);
    if (this.isPasted) this.parts.push(lineBreaksToHtml(text));
    else this.parts.push(this.kind === 'subject' ? oneLine(text) : text);
  }

  /** Parses the placeholder that opens here and records its errors; returns the offset after it. */
  private placeholder(open: number): number {
    const start = open + 2;
    const close = this.source.indexOf('}}', start);
    const end = close < 0 ? this.source.length : close;
    const nested = this.source.slice(start, end).indexOf('{{');
    if (close < 0 || nested >= 0) {
      this.faults.push({ message: 'These braces are not closed with }}', offset: open });
      return nested < 0 ? this.source.length : start + nested;
    }
    this.inside(open, start, end);
    return end + 2;
  }

  private inside(open: number, start: number, end: number): void {
    const isHtml = this.kind === 'html';
    const tag = isHtml ? firstTag(this.source.slice(start, end)) : -1;
    if (tag >= 0) {
      const message = 'There is an HTML tag between the braces; remove the formatting inside of them';
      this.faults.push({ message, offset: start + tag });
    } else if (isHtml && this.html.position === 'tag') {
      const message = 'Inside a tag a placeholder stands in quotes, as in href="{{website}}"';
      this.faults.push({ message, offset: open });
    } else {
      const parsed = parsePlaceholder(placeholderText(this.source, start, end, isHtml));
      if (parsed.type === 'fault') this.faults.push(parsed);
      else this.add(parsed);
    }
  }

  private add(placeholder: Placeholder): void {
    const place = this.html.link ?? 'text';
    if (placeholder.type === 'spin') {
      const options = placeholder.options.map((option) => fitValue(this.kind, option));
      this.parts.push({ type: 'spin', options, position: this.spins++ });
      this.passed(options);
      return;
    }
    const { name, fallback } = placeholder;
    const fitted = fallback === null ? null : fitValue(this.kind, fallback);
    this.parts.push({ type: 'variable', name, fallback: fitted, place });
    this.variables.add(name);
    if (fitted === null) this.needs.set(`${place} ${name}`, { name, place });
    this.passed(fitted === null ? [] : [fitted]);
  }

  /** After texts that are all non-blank, a link has begun. A required value is never blank. */
  private passed(texts: readonly string[]): void {
    const begun = texts.every((text) => text.trim() !== '');
    if (this.html.link === 'link' && begun) this.html = { ...this.html, link: 'in-link' };
  }
}

/** Errors with line and column, in source order. */
function located(source: string, faults: readonly { message: string; offset: number }[]): TemplateError[] {
  const sorted = faults.toSorted((one, other) => one.offset - other.offset);
  const lineEnds = source.matchAll(LINE_END);
  let next = lineEnds.next();
  let line = 1;
  let lineStart = 0;
  return sorted.map(({ message, offset }) => {
    for (; !next.done && next.value.index < offset; next = lineEnds.next()) {
      line += 1;
      lineStart = next.value.index + next.value[0].length;
    }
    return { message, line, column: offset - lineStart + 1 };
  });
}
