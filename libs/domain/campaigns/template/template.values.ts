import { type TemplateKind } from './template';

/** Whether there may be something to do: most values have none of these, and a test is much cheaper than a replacement. */
const SUSPECT = /[&<>"'\p{Cc}]/u;
/** What HTML gives a meaning to, and what its parsers would drop or replace (CR, NUL and their kin). */
const NOT_LITERAL_IN_HTML = /[&<>"']|\r\n?|(?![\n\t])\p{Cc}/gu;
const NOT_LITERAL_IN_TEXT = /\r\n?|(?![\n\t])\p{Cc}/gu;
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Control characters and line ends become a space each run: what is left fits into one header line. */
export function oneLine(value: string): string {
  return value.replace(NOT_ONE_LINE, ' ');
}

/** A text as it may stand between tags and in quoted attributes; CR and CRLF become LF, other control characters a space. */
function escapeHtml(value: string): string {
  return SUSPECT.test(value) ? value.replace(NOT_LITERAL_IN_HTML, inHtml) : value;
}

/** A value in the form in which a template of that kind takes it. */
export function fitValue(kind: TemplateKind, value: string): string {
  if (kind === 'html') return escapeHtml(value);
  if (kind === 'subject') return oneLine(value);
  return value.replace(NOT_LITERAL_IN_TEXT, (found) => (found[0] === '\r' ? '\n' : ' '));
}

function inHtml(found: string): string {
  switch (found) {
    case '&':
      return '&amp;';
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '"':
      return '&quot;';
    case "'":
      return '&#39;';
    default:
      return found[0] === '\r' ? '\n' : ' ';
  }
}
