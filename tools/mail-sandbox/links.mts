const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (all, hex, decimal, name) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? all;
    const code = hex ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** The distinct values of one attribute of one element, in order. */
function attributes(html: string, element: string, attribute: string): string[] {
  const tags = html.match(new RegExp(`<${element}\\b[^>]*>`, 'gi')) ?? [];
  const pattern = new RegExp(`\\s${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i');
  const values = tags.map((tag) => {
    const match = pattern.exec(tag);
    return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  });
  return [...new Set(values.filter((value) => /^https?:\/\//i.test(value)))];
}

/** Addresses of a message's links, http and https only. */
export const linksIn = (html: string): string[] => attributes(html, 'a', 'href');

/** Addresses of a message's remote images, including tracking pixels. */
export const imagesIn = (html: string): string[] => attributes(html, 'img', 'src');

/** The only hosts that the sandbox calls. */
export function isLoopback(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return /^https?:$/.test(protocol) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  } catch {
    return false;
  }
}
