const TAG = /<[a-z/!]/i;

/** Where the first tag or comment of a source begins, -1 when there is none. */
export function firstTag(source: string): number {
  return source.search(TAG);
}

/** Line breaks as HTML shows them. */
export function lineBreaksToHtml(text: string): string {
  return text.replace(/\r\n|[\n\r]/g, '<br>\n');
}

/** HTML as it is; HTML without any tag is text that somebody pasted, so its line breaks are made to show. */
export function toHtml(source: string): string {
  return firstTag(source) >= 0 ? source : lineBreaksToHtml(source);
}
