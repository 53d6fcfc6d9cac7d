/** Characters of a foreign text that a message shows. */
const SHOWN = 80;

/** What others wrote, as a message may show it: no control characters, and not at any length. */
export function escapeForDisplay(text: string, most = SHOWN): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return printable.length > most ? `${printable.slice(0, most)}...` : printable;
}

/** The same in quotation marks. */
export function quote(text: string): string {
  return `"${escapeForDisplay(text)}"`;
}
