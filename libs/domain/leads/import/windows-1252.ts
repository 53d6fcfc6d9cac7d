/** Characters of Windows-1252 where Latin-1 has control characters; five are undefined in both. */
const SPECIAL = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const CONTROL = /[\x80-\x9f]/g;

/** Converts text that was decoded as Latin-1 to Windows-1252: both have one byte per character. */
export function toWindows1252(text: string): string {
  return text.replace(CONTROL, (character) => SPECIAL.charAt(character.charCodeAt(0) - 0x80));
}
