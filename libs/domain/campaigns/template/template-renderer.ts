import { SIGNATURE } from './standard-variables';
import { type RenderedTemplate, type SpinPart, type Template, type TemplateNeed } from './template';
import { fitsPlace, fitValue } from './template-values';

/** Returns the value of a variable. Names such as `constructor` are possible, so implementations read own properties only. */
export type VariableLookup = (name: string) => string | undefined;

export interface RenderOptions {
  /** Shows a missing value as `[name]` instead of rendering nothing; for previews only. */
  readonly standIns?: boolean | undefined;
}

/**
 * Renders a template in one pass: `{{` in a value stays text. A value that is missing, blank or no valid link uses its
 * default. Without a default nothing is rendered, so that no email has a gap. Only the signature may be
 * empty.
 * @param lookup in `html` the signature is inserted as HTML, elsewhere as text; all other values are text.
 * @param seed selects, with the position of a spin, one option: the same seed renders the same text.
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

/** Lists required variables without a usable value. Callers check this list before a send. */
export function unmetNeeds({ needs }: Template, lookup: VariableLookup): TemplateNeed[] {
  return needs.filter(({ name, place }) => name !== SIGNATURE && !fitsPlace(place, lookup(name)));
}

function chosen({ options, position }: SpinPart, seedHash: number): string {
  return options[mixed(seedHash + Math.imul(position + 1, 0x9e3779b9)) % options.length] ?? '';
}

/** Returns the FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}

/** Applies the final steps of MurmurHash3. Without them, similar seeds often select the same option. */
function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
