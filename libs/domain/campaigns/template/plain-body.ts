const TAG = /<[a-z/!]/i;

/** Offset of the first tag or comment of a source, or -1. */
export function firstTag(source: string): number {
  return source.search(TAG);
}

/** Converts line breaks to `<br>`. */
export function lineBreaksToHtml(text: string): string {
  return text.replace(/\r\n|[\n\r]/g, '<br>\n');
}

/** Returns HTML unchanged. A source without a tag is pasted plain text, so its line breaks become `<br>`. */
export function toBodyHtml(source: string): string {
  return firstTag(source) >= 0 ? source : lineBreaksToHtml(source);
}
