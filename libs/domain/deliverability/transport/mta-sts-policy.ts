import { normalizeHostName, isHostName } from '../host-name';
import { quoteRecord } from '../record-text';
import { trimBlanks } from '../tag-list';

const MTA_STS_MODES = ['enforce', 'testing', 'none'] as const;
export type MtaStsMode = (typeof MTA_STS_MODES)[number];

/** RFC 8461, section 3.2. */
export interface MtaStsPolicy {
  readonly mode: MtaStsMode;
  /** Mail servers in lower case; `*.` stands for exactly one label. */
  readonly mx: readonly string[];
  /** Seconds for which senders cache the policy; at most 31 557 600, a year. */
  readonly maxAge: number;
}

export type MtaStsReading =
  | { readonly ok: true; readonly policy: MtaStsPolicy }
  /** The fault, as the end of a sentence. */
  | { readonly ok: false; readonly fault: string };

const MAX_AGE = 31_557_600;
const MAX_PATTERNS = 100;

/** Parses a policy file as senders do: unknown lines are ignored, and the first of a repeated line counts. */
export function readMtaStsPolicy(text: string): MtaStsReading {
  const { fields, mx } = splitLines(text);
  const version = fields.get('version');
  if (version !== 'STSv1') return toUnreadablePolicy(`its version is ${quoteRecord(version ?? '')} instead of STSv1`);
  const mode = MTA_STS_MODES.find((known) => known === fields.get('mode'));
  if (mode === undefined)
    return toUnreadablePolicy(
      `its mode is ${quoteRecord(fields.get('mode') ?? '')} instead of enforce, testing or none`,
    );
  const age = fields.get('max_age') ?? '';
  if (!/^\d{1,10}$/.test(age) || Number(age) > MAX_AGE) {
    return toUnreadablePolicy(`its max_age is ${quoteRecord(age)} instead of a number of seconds up to ${MAX_AGE}`);
  }
  const invalid = mx.find((pattern) => !isPattern(pattern));
  if (invalid !== undefined) return toUnreadablePolicy(`${quoteRecord(invalid)} in mx is no name of a host`);
  if (mx.length === 0 && mode !== 'none') return toUnreadablePolicy('it names no mail server (mx)');
  return { ok: true, policy: { mode, mx, maxAge: Number(age) } };
}

/** Whether the policy allows the mail server (RFC 8461, section 4.1). */
export function matchesPolicy({ mx }: Pick<MtaStsPolicy, 'mx'>, host: string): boolean {
  const name = normalizeHostName(host);
  const parent = name.slice(name.indexOf('.'));
  return mx.some((pattern) => (pattern.startsWith('*.') ? pattern.slice(1) === parent : pattern === name));
}

function splitLines(text: string): { fields: ReadonlyMap<string, string>; mx: string[] } {
  const fields = new Map<string, string>();
  const mx: string[] = [];
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0));
    const value = trimBlanks(line.slice(colon + 1));
    if (key === 'mx' && mx.length < MAX_PATTERNS) mx.push(normalizeHostName(value));
    else if (!fields.has(key)) fields.set(key, value);
  }
  return { fields, mx };
}

function isPattern(pattern: string): boolean {
  return isHostName(pattern.startsWith('*.') ? pattern.slice(2) : pattern);
}

function toUnreadablePolicy(fault: string): MtaStsReading {
  return { ok: false, fault };
}
