/** UTF-16 units of a name; file systems allow 255 bytes. */
const MAX_NAME = 120;
const MAX_EXTENSION = 20;
/** Characters that are read, from the end: a hostile name may have a megabyte. */
const MAX_READ = 2_000;

/** Control characters, direction overrides and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Path separators and characters with a meaning for file systems, shells or headers. */
const RESERVED = /["<>:|?*\\/]/g;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns a file name that is safe to save: the last part of a path, on one line, not hidden, without blanks or dots at its
 * ends, shortened before its extension.
 */
export function toSafeFileName(original: string): string {
  const last =
    original
      .slice(-MAX_READ)
      .replace(INVISIBLE, '')
      .split(/[\\/]/)
      .findLast((part) => /[^\s.]/.test(part)) ?? '';
  const name = last
    .normalize('NFC')
    .replace(RESERVED, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .replace(DEVICE, '_$&');
  return shorten(name) || 'attachment';
}

/** Returns a media type that is valid in a header; `application/octet-stream` for any other. */
export function toSafeMediaType(type: string): string {
  const isOne = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(type);
  return isOne ? type.toLowerCase() : 'application/octet-stream';
}

function shorten(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : '';
  // Removes half a surrogate pair at the cut.
  return (
    name
      .slice(0, MAX_NAME - extension.length)
      .replace(/\p{Cs}$/u, '')
      .trimEnd() + extension
  );
}
