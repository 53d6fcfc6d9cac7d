const MASK = '[redacted]';

/** What must never be read in a log, whatever field or message it hides in. */
const PATTERNS: readonly [RegExp, string][] = [
  // API keys, webhook secrets, invitation tokens
  [/\b(sk_user_|sk_|whsec_|inv_)[A-Za-z0-9+/=_-]{12,}/g, `$1${MASK}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi, `$1 ${MASK}`],
  // user:password@ in connection strings and URLs
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"':]*:[^\s/@"']+@/gi, `$1${MASK}@`],
  // "password":"…", token=… and their relatives, as JSON or as a query string
  [
    /((?:pass(?:word|wd)?|secret|token|api[_-]?key|authorization|credential)s?\\?"\s*:\s*\\?")(?:[^"\\]|\\[^"])+/gi,
    `$1${MASK}`,
  ],
  [/\b((?:password|passwd|secret|token|api[_-]?key|access_token|refresh_token|code)=)[^\s&"'\\]+/gi, `$1${MASK}`],
];

/** Masks secrets in a finished log line. Works on the text, so that no forgotten field lets one through. */
export function redact(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
