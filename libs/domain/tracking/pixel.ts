const BODY_END = /<\/body\s*>/gi;

/** Inserts HTML at the end of the body; works on whole documents and fragments. */
export function appendToBody(html: string, addition: string): string {
  const end = [...html.matchAll(BODY_END)].at(-1)?.index;
  if (end === undefined || isInComment(html, end)) return html + addition;
  return html.slice(0, end) + addition + html.slice(end);
}

/** The one-pixel image that records an open. */
export function pixelHtml(url: string): string {
  const style = 'display:block;border:0;width:1px;height:1px';
  return `<img src="${url}" width="1" height="1" alt="" style="${style}">`;
}

/** A link that no person sees or reaches by keyboard: only a scanner follows it. */
export function honeypotHtml(url: string): string {
  return `<a href="${url}" style="display:none" tabindex="-1" aria-hidden="true" rel="nofollow"></a>`;
}

function isInComment(html: string, at: number): boolean {
  const start = html.lastIndexOf('<!--', at);
  return start >= 0 && html.lastIndexOf('-->', at) < start;
}
