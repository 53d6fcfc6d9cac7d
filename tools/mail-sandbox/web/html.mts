/** Well-formed markup: created by `html`, never by a message. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly Markup[] | false | undefined;

/** Builds markup; all values are escaped except results of `html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  const texts = parts.map((part, index) => part + (index < values.length ? render(values[index]) : ''));
  return new Markup(texts.join(''));
}

function render(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escaped(String(value));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
