import { type TemplateKind, type TemplatePlace } from './template';

/** Whether there may be something to do: most values have none of these, and a test is much cheaper than a replacement. */
const SUSPECT = /[&<>"'\p{Cc}]/u;
/** What HTML gives a meaning to, and what its parsers would drop or replace (CR, NUL and their kin). */
const NOT_LITERAL_IN_HTML = /[&<>"']|\r\n?|(?![\n\t])\p{Cc}/gu;
const NOT_LITERAL_IN_TEXT = /\r\n?|(?![\n\t])\p{Cc}/gu;
/** Browsers drop these from an address, so that it is another one than it looked like. */
const NOT_IN_LINK = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Whatever else a link can be runs as a program, shows a document that was sent along, or leads nowhere. */
const LINK = /^(?:https?:\/\/|mailto:|tel:)/i;
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Control characters and line ends become a space each run: what is left fits into one header line. */
export function oneLine(value: string): string {
  return value.replace(NOT_ONE_LINE, ' ');
}

/** A text as it may stand between tags and in quoted attributes; CR and CRLF become LF, other control characters a space. */
function escapeHtml(value: string): string {
  return SUSPECT.test(value) ? value.replace(NOT_LITERAL_IN_HTML, inHtml) : value;
}

/**
 * Whether a value can stand at a place. A blank one can nowhere; what begins a link has to be one, of `http`, `https`,
 * `mailto` or `tel`; in a link there are no line ends and control characters.
 */
export function fitsPlace(place: TemplatePlace, value: string | undefined): value is string {
  const text = value?.trim() ?? '';
  if (text === '') return false;
  if (place === 'text') return true;
  if (NOT_IN_LINK.test(text)) return false;
  return place === 'in-link' || (LINK.test(text) && URL.canParse(text));
}

/** A value in the form in which a template of that kind takes it at that place. */
export function fitValue(kind: TemplateKind, value: string, place: TemplatePlace = 'text'): string {
  if (kind === 'html') return escapeHtml(place === 'text' ? value : value.trim());
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
