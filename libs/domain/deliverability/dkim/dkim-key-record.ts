import { failing, noting, warning, type Problem } from '../check';
import { quoteRecord } from '../record-text';
import { parseTagList, trimBlanks } from '../tag-list';
import { KEY_TYPES, readPublicKey, type DkimKey, type KeyType } from './public-key';

/** Content of a key record (RFC 6376, section 3.6.1). */
export interface KeyRecord {
  /** null when no verifier accepts the record, or it has no usable key. */
  readonly key: DkimKey | null;
  /** The key was revoked: `p=` is empty. */
  readonly revoked: boolean;
  readonly problems: readonly Problem[];
}

type Tags = ReadonlyMap<string, string>;

/** Whether the record is meant as a key: wildcards return other text too. */
export function isKeyRecord(text: string): boolean {
  const list = parseTagList(text);
  if (list.ok) return list.tags.has('p') || list.tags.get('v') === 'DKIM1';
  return /^\s{0,9}v\s{0,9}=\s{0,9}DKIM1/i.test(text) || /(?:^|;)\s{0,9}p\s{0,9}=/.test(text);
}

/** Parses a key record as strictly as verifiers do; never throws. */
export function readKeyRecord(text: string): KeyRecord {
  const list = parseTagList(text);
  if (!list.ok) {
    return toUnusable(
      'record_malformed',
      `Verifiers ignore the DKIM record: ${list.fault}. Publish it exactly as your provider gives it.`,
    );
  }
  const { tags } = list;
  const refusal = checkVersion(tags) ?? hashProblem(tags) ?? checkService(tags);
  if (refusal !== null) return { key: null, revoked: false, problems: [refusal] };
  const type = KEY_TYPES.find((known) => known === (tags.get('k') ?? 'rsa'));
  return type === undefined ? describeUnknownType(tags) : readKey(type, tags);
}

function readKey(type: KeyType, tags: Tags): KeyRecord {
  const p = tags.get('p');
  if (p === undefined) {
    return toUnusable('key_missing', 'The DKIM record has no key (p=). Publish it exactly as your provider gives it.');
  }
  if (p === '') {
    const message =
      'The DKIM key was revoked (p= is empty): all signatures made with it fail. Sign with another selector, or publish a new key.';
    return { ...toUnusable('key_revoked', message), revoked: true };
  }
  const { key, problems } = readPublicKey(type, p);
  return { key, revoked: false, problems: [...problems, ...checkFlags(tags)] };
}

function toUnusable(code: string, message: string): KeyRecord {
  return { key: null, revoked: false, problems: [failing(code, message)] };
}

function describeUnknownType(tags: Tags): KeyRecord {
  const type = quoteRecord(tags.get('k') ?? '');
  return toUnusable('key_type_unknown', `Verifiers ignore the DKIM record: they know no key type ${type}. Use k=rsa.`);
}

function checkVersion(tags: Tags): Problem | null {
  const version = tags.get('v');
  if (version === undefined) return null;
  if (version !== 'DKIM1') {
    return failing(
      'version_unknown',
      `Verifiers discard the DKIM record: its version is ${quoteRecord(version)}. Write v=DKIM1.`,
    );
  }
  if (tags.keys().next().value === 'v') return null;
  return failing('version_not_first', 'Verifiers discard the DKIM record: v=DKIM1 must be its first tag.');
}

/** SHA-1 must not be used any more (RFC 8301, section 3.1), and unknown names are ignored. */
function hashProblem(tags: Tags): Problem | null {
  const hashes = tags.get('h');
  if (hashes === undefined || listed(hashes).includes('sha256')) return null;
  const message = `The DKIM record allows the hash ${quoteRecord(hashes)} only, but signatures are made with SHA-256. Remove h= or write h=sha256.`;
  return failing('hash_not_allowed', message);
}

function checkService(tags: Tags): Problem | null {
  const services = tags.get('s');
  if (services === undefined || listed(services).some((service) => service === '*' || service === 'email')) return null;
  return failing(
    'service_not_email',
    `The DKIM key is not for email (s=${quoteRecord(services)}). Remove s= or write s=email.`,
  );
}

function checkFlags(tags: Tags): Problem[] {
  const flags = listed(tags.get('t') ?? '');
  const problems: Problem[] = [];
  if (flags.includes('y')) {
    const message =
      'The DKIM record says that the domain is only testing (t=y): receivers may treat its mail as unsigned. Remove the flag y.';
    problems.push(warning('test_mode', message));
  }
  if (flags.includes('s')) {
    problems.push(noting('strict_identity', 'The DKIM key is for this very domain, not for its subdomains (t=s).'));
  }
  return problems;
}

/** Returns the values of a colon-separated tag. */
function listed(value: string): string[] {
  return value.split(':').map((each) => trimBlanks(each));
}
