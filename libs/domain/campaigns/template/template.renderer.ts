import { SIGNATURE } from './standard.variables';
import { type RenderedTemplate, type SpinPart, type Template } from './template';
import { fitValue } from './template.values';

/** Gives the value of a variable. It answers for names such as `constructor`, too: look at own properties only. */
export type VariableLookup = (name: string) => string | undefined;

/**
 * Fills a template in. One pass: a value that contains `{{` is text. A variable that is missing or blank is replaced by its
 * default; without one nothing is rendered at all, so that no email has a hole. Only the signature may be empty.
 * @param lookup in `html` the signature is taken as HTML, in other kinds as text; all other values are text.
 * @param seed decides, with the position of a spin, which option is taken: the same seed gives the same text.
 */
export function renderTemplate(template: Template, lookup: VariableLookup, seed: string): RenderedTemplate {
  const { kind, parts } = template;
  const missing = new Set<string>();
  let text = '';
  let seedHash: number | undefined;
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else if (part.type === 'spin') {
      seedHash ??= hash(seed);
      text += chosen(part, seedHash);
    } else {
      const value = lookup(part.name);
      if (value !== undefined && value.trim() !== '') {
        text += kind === 'html' && part.name === SIGNATURE ? value : fitValue(kind, value);
      } else if (part.fallback !== null) {
        text += part.fallback;
      } else if (part.name !== SIGNATURE) {
        missing.add(part.name);
      }
    }
  }
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, text };
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
