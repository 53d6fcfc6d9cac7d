import { type TemplateKind, type TemplatePlace } from './template';

/** Characters that need replacement. Most values have none, and this test is much cheaper than a replacement. */
const SUSPECT = /[&<>"'\p{Cc}]/u;
/** Characters with a meaning in HTML, and characters that HTML parsers drop or replace (CR, NUL and similar). */
const NOT_LITERAL_IN_HTML = /[&<>"']|\r\n?|(?![\n\t])\p{Cc}/gu;
const NOT_LITERAL_IN_TEXT = /\r\n?|(?![\n\t])\p{Cc}/gu;
/** Browsers drop these characters from a URL, so the opened URL can differ from the visible one. */
const NOT_IN_LINK = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Allowed link schemes. Other schemes can run as a program, show an embedded document or lead nowhere. */
const LINK = /^(?:https?:\/\/|mailto:|tel:)/i;
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Replaces each run of control characters and line ends with a space, so that the value fits one header line. */
export function oneLine(value: string): string {
  return value.replace(NOT_ONE_LINE, ' ');
}

/** Escapes a text for content and quoted attributes. CR and CRLF become LF, other control characters a space. */
function escapeHtml(value: string): string {
  return SUSPECT.test(value) ? value.replace(NOT_LITERAL_IN_HTML, inHtml) : value;
}

/**
 * Whether a value is valid at a place. Blank values are never valid. A value that begins a link has the scheme `http`,
 * `https`, `mailto` or `tel`; inside a link, values have no line ends and control characters.
 */
export function fitsPlace(place: TemplatePlace, value: string | undefined): value is string {
  const text = value?.trim() ?? '';
  if (text === '') return false;
  if (place === 'text') return true;
  if (NOT_IN_LINK.test(text)) return false;
  return place === 'in-link' || (LINK.test(text) && URL.canParse(text));
}

/** Formats a value for a kind of template and a place. */
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
