const ANY = '…';
const ID = /^[0-9a-f]{24}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/**
 * Returns where an output differs from the output on a page; null if it does not. Pages shorten: they show some
 * fields and items of JSON and some lines of text, each in order. `…` matches anything, an id any id, and a time any
 * time.
 */
export function difference(shown: string, language: string, output: string): string | null {
  if (language !== 'json') return differenceOfText(shown, output);
  const value = parsed(output);
  if (value === undefined) return `the output is no JSON: ${output}`;
  return differenceOfValue(JSON.parse(shown), value, 'the output');
}

function differenceOfText(shown: string, output: string): string | null {
  const lines = output.split('\n');
  let from = 0;
  for (const line of shown.split('\n').filter((one) => one.trim() !== '' && one.trim() !== ANY)) {
    const found = lines.findIndex((one, at) => at >= from && like(line.trim(), one.trim()));
    if (found < 0) return `no line like "${line.trim()}" in:\n${output}`;
    from = found + 1;
  }
  return null;
}

function differenceOfValue(shown: unknown, value: unknown, where: string): string | null {
  if (Array.isArray(shown)) {
    return Array.isArray(value) ? differenceOfItems(shown, value, where) : `${where} is no list`;
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof value !== 'object' || value === null) return `${where} is ${JSON.stringify(value)}`;
    const given = value as Record<string, unknown>;
    for (const [name, one] of Object.entries(shown)) {
      if (!(name in given)) return `${where} has no ${name}`;
      const different = differenceOfValue(one, given[name], `${where}.${name}`);
      if (different !== null) return different;
    }
    return null;
  }
  const same = typeof shown === 'string' && typeof value === 'string' ? like(shown, value) : shown === value;
  return same ? null : `${where} is ${JSON.stringify(value)}, not ${JSON.stringify(shown)}`;
}

/** Each shown item exists, in this order; others may be between them. */
function differenceOfItems(shown: readonly unknown[], items: readonly unknown[], where: string): string | null {
  let from = 0;
  for (const one of shown) {
    const found = items.findIndex((item, at) => at >= from && differenceOfValue(one, item, where) === null);
    if (found < 0) return `${where} has no item like ${JSON.stringify(one)}: ${JSON.stringify(items)}`;
    from = found + 1;
  }
  return null;
}

function like(shown: string, text: string): boolean {
  if (ID.test(shown)) return ID.test(text);
  if (INSTANT.test(shown)) return INSTANT.test(text);
  const parts = shown.split(ANY).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
