const CHARACTERS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Markup of quotes in Apple Mail and Thunderbird. */
const QUOTE = '<blockquote type="cite" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">';

/** Converts paragraphs of plain text to equivalent HTML. */
export function toParagraphsHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${toLinesHtml(paragraph)}</p>`)
    .join('\n');
}

/** Converts a quoted text and the line above it to HTML; nested quotes become nested blocks. */
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

/** Groups consecutive lines by whether they are quoted. */
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
