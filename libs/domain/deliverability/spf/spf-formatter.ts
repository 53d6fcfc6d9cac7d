/** Characters of foreign text in a message. */
const SHOWN = 80;

/** Foreign text for a message: without control characters, and of limited length. */
export function escapeForDisplay(text: string, most = SHOWN): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return printable.length > most ? `${printable.slice(0, most)}...` : printable;
}

/** The same in quotation marks. */
export function quoteForDisplay(text: string): string {
  return `"${escapeForDisplay(text)}"`;
}
