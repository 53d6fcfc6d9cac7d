/** UTF-16 code units of a name; file systems take 255 bytes. */
const MOST = 120;
const LONGEST_EXTENSION = 20;
/** Characters that are looked at, from the end: a hostile name is a megabyte long. */
const SEEN = 2_000;

/** Control characters, those that turn the direction of writing around, and halves of characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What separates folders, or means something else to a file system, a shell or a header. */
const RESERVED = /["<>:|?*\\/]/g;
/** Names that Windows takes for devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * What the sender called a file, as a name that is safe to save under: the last part of a path, on one line, neither hidden
 * nor with blanks or dots at its ends, its extension kept when it is too long.
 */
export function fileName(given: string): string {
  const last =
    given
      .slice(-SEEN)
      .replace(INVISIBLE, '')
      .split(/[\\/]/)
      .findLast((part) => /[^\s.]/.test(part)) ?? '';
  const name = last
    .normalize('NFC')
    .replace(RESERVED, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .replace(DEVICE, '_$&');
  return shortened(name) || 'attachment';
}

/** A media type that may stand in a header; anything else is just bytes. */
export function mediaType(given: string): string {
  const isOne = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(given);
  return isOne ? given.toLowerCase() : 'application/octet-stream';
}

function shortened(name: string): string {
  if (name.length <= MOST) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : '';
  // Half of a pair that the cut leaves is left out.
  return (
    name
      .slice(0, MOST - extension.length)
      .replace(/\p{Cs}$/u, '')
      .trimEnd() + extension
  );
}
