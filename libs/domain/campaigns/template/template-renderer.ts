import { SIGNATURE } from './standard-variables';
import { type RenderedTemplate, type SpinPart, type Template, type TemplateNeed } from './template';
import { fitsPlace, fitValue } from './template-values';

/** Gives the value of a variable. It answers for names such as `constructor`, too: look at own properties only. */
export type VariableLookup = (name: string) => string | undefined;

export interface RenderOptions {
  /** Shows what is missing as `[name]` instead of rendering nothing; for looking at only. */
  readonly standIns?: boolean | undefined;
}

/**
 * Fills a template in. One pass: a value that contains `{{` is text. A variable that is missing, blank, or no link where one
 * is wanted is replaced by its default; without one nothing is rendered at all, so that no email has a hole. Only the
 * signature may be empty.
 * @param lookup in `html` the signature is taken as HTML, in other kinds as text; all other values are text.
 * @param seed decides, with the position of a spin, which option is taken: the same seed gives the same text.
 */
export function renderTemplate(
  template: Template,
  lookup: VariableLookup,
  seed: string,
  { standIns = false }: RenderOptions = {},
): RenderedTemplate {
  const { kind, parts } = template;
  const missing = standIns ? [] : unmetNeeds(template, lookup);
  if (missing.length > 0) return { ok: false, missing };
  let text = '';
  let seedHash: number | undefined;
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else if (part.type === 'spin') {
      seedHash ??= hash(seed);
      text += chosen(part, seedHash);
    } else {
      const { name, place, fallback } = part;
      const value = lookup(name);
      if (fitsPlace(place, value)) {
        text += kind === 'html' && name === SIGNATURE ? value : fitValue(kind, value, place);
      } else {
        text += fallback ?? (name === SIGNATURE ? '' : fitValue(kind, `[${name}]`));
      }
    }
  }
  return { ok: true, text };
}

/** What a template cannot do without and does not get: whoever is to send it asks here first. */
export function unmetNeeds({ needs }: Template, lookup: VariableLookup): TemplateNeed[] {
  return needs.filter(({ name, place }) => name !== SIGNATURE && !fitsPlace(place, lookup(name)));
}

function chosen({ options, position }: SpinPart, seedHash: number): string {
  return options[mixed(seedHash + Math.imul(position + 1, 0x9e3779b9)) % options.length] ?? '';
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}

/** The last steps of MurmurHash3, without which seeds that are alike would often choose alike. */
function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
