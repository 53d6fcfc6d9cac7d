const CHARACTERS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** As Apple Mail and Thunderbird mark quotes. */
const QUOTE = '<blockquote type="cite" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">';

/** Paragraphs of plain text as HTML that looks the same. */
export function toParagraphsHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${toLinesHtml(paragraph)}</p>`)
    .join('\n');
}

/** A quoted text with the line above it as HTML; quotes in it become quotes in quotes. */
export function toQuoteHtml(attribution: string, quoted: string): string {
  return `<div>${toLinesHtml(attribution)}</div>\n${toBlockquote(quoted)}`;
}

function toBlockquote(text: string): string {
  const inner: string[] = [];
  for (const { isQuote, lines } of groupLines(text.split('\n'))) {
    if (isQuote) inner.push(toBlockquote(lines.map((line) => line.replace(/^> ?/, '')).join('\n')));
    else inner.push(toParagraphsHtml(lines.join('\n').trim()));
  }
  return `${QUOTE}\n${inner.filter((html) => html !== '').join('\n')}\n</blockquote>`;
}

/** Lines that follow each other and are all quoted, or all not. */
function groupLines(lines: readonly string[]): { isQuote: boolean; lines: string[] }[] {
  const runs: { isQuote: boolean; lines: string[] }[] = [];
  for (const line of lines) {
    const isQuote = line.startsWith('>');
    const last = runs.at(-1);
    if (last?.isQuote === isQuote) last.lines.push(line);
    else runs.push({ isQuote, lines: [line] });
  }
  return runs;
}

function toLinesHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => CHARACTERS[found] ?? found).replaceAll('\n', '<br>\n');
}
