/** What Windows-1252 has where Latin-1 has control characters; five of them are nothing in either. */
const SPECIAL = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const CONTROL = /[\x80-\x9f]/g;

/** Text whose bytes were read as Latin-1, as Windows-1252 has it: both have one byte for a character. */
export function fromLatin1(text: string): string {
  return text.replace(CONTROL, (character) => SPECIAL.charAt(character.charCodeAt(0) - 0x80));
}
