const MASK = '[redacted]';

const SECRET_NAME = String.raw`[\w-]{0,40}(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|private[_-]?key|authorization|credential|cookie)s?`;

/**
 * Secrets that must not appear in a log, in any field or message. No pattern requires a word boundary before a secret, because
 * in JSON the character before it may be the `n` of an escaped line break.
 */
const PATTERNS: readonly [RegExp, string][] = [
  // API keys and invitation tokens, webhook secrets
  [/(sk_user_|sk_|inv_)[0-9a-f]{16,}/gi, `$1${MASK}`],
  [/(whsec_)[A-Za-z0-9+/=_-]{12,}/g, `$1${MASK}`],
  [/(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi, `$1 ${MASK}`],
  // user:password@ in connection strings and URLs
  [/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"':]*:[^\s/@"']+@/gi, `$1${MASK}@`],
  // "password":"…" and similar fields in JSON, and in JSON inside a JSON string
  [new RegExp(String.raw`("${SECRET_NAME}"\s*:\s*)"(?:\\.|[^"\\])*"`, 'gi'), `$1"${MASK}"`],
  [new RegExp(String.raw`(\\"${SECRET_NAME}\\"\s*:\s*)\\"(?:\\\\\\?.|[^\\])*\\"`, 'gi'), String.raw`$1\"${MASK}\"`],
  // the same in a query string or a form
  [/((?:password|passwd|secret|token|api[_-]?key|code)=)[^\s&"'\\]+/gi, `$1${MASK}`],
];

/** Masks secrets in a finished log line. It works on the text, so that it covers every field. */
export function redact(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
