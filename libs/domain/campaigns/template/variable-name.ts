const MAX_NAME = 64;
const NAME = /^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*$/u;

/**
 * Why no variable can have this name, as the end of a sentence; null when one can. Placeholders and the variables of leads
 * go by the same rule, so that whatever can be written can have a value. Names that every object has are nobody's.
 */
export function nameFault(name: string): string | null {
  if (name.length > MAX_NAME) return `it is longer than ${MAX_NAME} characters`;
  if (!NAME.test(name)) return 'names are letters, digits and _, with a . only between them';
  return name in Object.prototype || name === 'prototype' ? 'it is reserved' : null;
}
