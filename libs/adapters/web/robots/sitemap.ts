/** Maximum URLs of one sitemap; the frontier has its own limit. */
const MAX_LOCATIONS = 500;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Addresses in a sitemap (sitemaps.org, 0.9), or the other sitemaps in an index of them. Not an XML parser: nothing is resolved or included. */
export function getSitemap(text: string): { readonly pages: string[]; readonly sitemaps: string[] } {
  const locations = [...text.matchAll(/<loc>\s*([^<\s]{1,2000})\s*<\/loc>/gi)]
    .slice(0, MAX_LOCATIONS)
    .map(([, location = '']) =>
      location.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? ''),
    );
  const isIndex = /<sitemapindex[\s>]/i.test(text);
  return isIndex ? { pages: [], sitemaps: locations } : { pages: locations, sitemaps: [] };
}
