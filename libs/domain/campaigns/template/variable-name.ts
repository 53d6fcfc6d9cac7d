const MAX_NAME = 64;
const NAME = /^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*$/u;

/**
 * Returns why a variable cannot have this name, as the end of a sentence, or null. Placeholders and variables of leads
 * use the same rule, so that every accepted placeholder can have a value. Property names of every object are refused.
 */
export function nameFault(name: string): string | null {
  if (name.length > MAX_NAME) return `it is longer than ${MAX_NAME} characters`;
  if (!NAME.test(name)) return 'names are letters, digits and _, with a . only between them';
  return name in Object.prototype || name === 'prototype' ? 'it is reserved' : null;
}
