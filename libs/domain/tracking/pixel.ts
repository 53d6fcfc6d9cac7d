const BODY_END = /<\/body\s*>/gi;

/** Adds HTML at the end of the body, of a whole document as well as of a fragment. */
export function appendToBody(html: string, addition: string): string {
  const end = [...html.matchAll(BODY_END)].at(-1)?.index;
  if (end === undefined || isInComment(html, end)) return html + addition;
  return html.slice(0, end) + addition + html.slice(end);
}

/** The image of one pixel by which an opened email is noticed. */
export function pixelHtml(url: string): string {
  const style = 'display:block;border:0;width:1px;height:1px';
  return `<img src="${url}" width="1" height="1" alt="" style="${style}">`;
}

/** A link that no person sees or reaches by keyboard: what follows it is a scanner that follows everything. */
export function honeypotHtml(url: string): string {
  return `<a href="${url}" style="display:none" tabindex="-1" aria-hidden="true" rel="nofollow"></a>`;
}

function isInComment(html: string, at: number): boolean {
  const start = html.lastIndexOf('<!--', at);
  return start >= 0 && html.lastIndexOf('-->', at) < start;
}
