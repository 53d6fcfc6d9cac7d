import { normalizeHostName, isHostName } from '../host-name';
import { trimBlanks } from '../tag-list';

/** One address of `rua` or `ruf` (RFC 9989, sections 4.6 and 4.8). */
export interface ReportUri {
  readonly text: string;
  /** Receivers must support `mailto`, and support no other in practice. `invalid` addresses are ignored. */
  readonly kind: 'mailto' | 'other' | 'invalid';
  /** The domain of a mailto address, in lower case; null for others. */
  readonly host: string | null;
  /** It ends in a size (`!10m`), which receivers ignore since RFC 9989. */
  readonly sized: boolean;
}

/** Addresses that are read. */
const MAX_URIS = 50;
/** Characters of an address; longer ones are invalid. */
const MAX_URI = 1_000;

const SIZE = /!\d+[kmgt]?$/i;
/** RFC 3986: a scheme, and something after it. Commas and exclamation marks are encoded. */
const URI = /^([a-z][a-z0-9+.-]*):([\x21\x23-\x2b\x2d-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+)$/i;

/** Parses the list in a tag; empty when the tag is absent. */
export function readReportUris(value: string | undefined): ReportUri[] {
  if (value === undefined) return [];
  return value
    .split(',', MAX_URIS)
    .map((each) => trimBlanks(each))
    .map((text) => readReportUri(text));
}

function readReportUri(text: string): ReportUri {
  const sized = SIZE.test(text.slice(-20));
  const uri = sized ? text.replace(SIZE, '') : text;
  const [, scheme, target] = (uri.length <= MAX_URI && !uri.includes('!') && URI.exec(uri)) || [];
  if (scheme === undefined || target === undefined) return { text, kind: 'invalid', host: null, sized };
  if (scheme.toLowerCase() !== 'mailto') return { text, kind: 'other', host: null, sized };
  const [address = ''] = target.split(/[?#]/, 1);
  const at = address.lastIndexOf('@');
  const host = normalizeHostName(address.slice(at + 1));
  if (at < 1 || !host.includes('.') || !isHostName(host)) return { text, kind: 'invalid', host: null, sized };
  return { text, kind: 'mailto', host, sized };
}
