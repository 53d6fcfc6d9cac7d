import sanitizeHtml from 'sanitize-html';

export interface Sanitising {
  /**
   * Our tracking hosts, with or without a port. Their images are dropped and links to them become text: a reader of the inbox
   * must neither count as the recipient nor unsubscribe them.
   */
  readonly trackingHosts?: readonly string[];
  /** Whether a URL is an own link inside a link of a mail system. */
  readonly isOurs?: (url: string) => boolean;
}

const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]{3,30}|rgba?\([\d\s.,%]{3,40}\))$/i;
const LENGTH = /^-?\d{1,4}(?:\.\d{1,3})?(?:px|pt|em|rem|ex|%|in|cm)?$/i;
const LENGTHS = /^(?:(?:-?\d{1,4}(?:\.\d{1,3})?(?:px|pt|em|rem|ex|%|in|cm)?|auto)\s?){1,4}$/i;
const BORDER = /^[\w#.,()%\s-]{1,60}$/;
const KEYWORD = /^[a-z-]{1,30}$/i;

/** No style that loads a resource, covers the page or leaves its box. */
const STYLES = {
  color: [COLOUR],
  'background-color': [COLOUR],
  'font-weight': [/^(?:\d{3}|[a-z]{3,10})$/i],
  'font-style': [KEYWORD],
  'font-size': [LENGTH, KEYWORD],
  'font-family': [/^[\w\s,"'-]{1,200}$/],
  'text-align': [KEYWORD],
  'text-decoration': [/^[a-z\s-]{1,40}$/i],
  'vertical-align': [KEYWORD],
  'white-space': [KEYWORD],
  'line-height': [LENGTH, KEYWORD],
  'list-style-type': [KEYWORD],
  margin: [LENGTHS],
  'margin-left': [LENGTH],
  'margin-top': [LENGTH],
  'margin-bottom': [LENGTH],
  padding: [LENGTHS],
  'padding-left': [LENGTH],
  border: [BORDER],
  'border-left': [BORDER],
  'border-top': [BORDER],
  'border-collapse': [KEYWORD],
  width: [LENGTH],
  display: [/^(?:block|inline|inline-block|none|table|table-row|table-cell)$/i],
};

const TAGS = (
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt ' +
  'em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp ' +
  'section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
).split(' ');

/** Characters that are shown: the library is quadratic in the number of open elements. */
const MAX_SHOWN = 200_000;
/** Deeper elements are reduced to their text. */
const MAX_DEPTH = 100;

/**
 * Sanitises the HTML of a received mail for display in a page: no scripts, forms, frames, event handlers, ids or classes, no
 * style that loads or covers anything, no invisible images and no tracking of ours. Links open in a new window without
 * referrer. Visible images stay remote: the page decides whether to load them. Reads the first 200 000 characters.
 */
export function sanitiseHtml(
  html: string,
  { trackingHosts = [], isOurs: isKnown = () => false }: Sanitising = {},
): string {
  const hosts = new Set(trackingHosts.map((host) => host.toLowerCase()));
  const isOurs = (url: string | undefined) => url !== undefined && (isOnHost(url, hosts) || isKnown(url));
  return sanitizeHtml(html.slice(0, MAX_SHOWN), {
    allowedTags: TAGS,
    nestingLimit: MAX_DEPTH,
    allowedAttributes: {
      '*': ['align', 'bgcolor', 'dir', 'lang', 'style', 'title', 'valign'],
      a: ['href', 'target', 'rel'],
      blockquote: ['cite', 'type'],
      font: ['color', 'face', 'size'],
      img: ['alt', 'height', 'src', 'width'],
      ol: ['start', 'type'],
      table: ['border', 'cellpadding', 'cellspacing', 'width'],
      td: ['colspan', 'rowspan', 'width', 'height'],
      th: ['colspan', 'rowspan', 'width', 'height', 'scope'],
    },
    allowedStyles: { '*': STYLES },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href, ...attribs }): sanitizeHtml.Tag =>
        href === undefined || isOurs(href)
          ? { tagName: 'span', attribs: { title: attribs['title'] ?? '' } }
          : { tagName, attribs: { ...attribs, href, target: '_blank', rel: 'noopener noreferrer nofollow' } },
      blockquote: (tagName, attribs): sanitizeHtml.Tag => {
        const { cite, ...others } = attribs;
        return { tagName, attribs: isOurs(cite) ? others : attribs };
      },
    },
    exclusiveFilter: ({ tag, attribs }) =>
      tag === 'img' && (isOurs(attribs['src']) || isInvisible(attribs) || !isPicture(attribs['src'])),
  });
}

function isOnHost(url: string, hosts: ReadonlySet<string>): boolean {
  // Browsers remove these characters before parsing (WHATWG URL, 4.4).
  const parsed = URL.parse(url.replace(/[\t\n\r]/g, '').trim(), 'https://relative.invalid/');
  return parsed !== null && (hosts.has(parsed.host) || hosts.has(parsed.hostname));
}

/** An image of one pixel is for tracking. */
function isInvisible({ width, height, style = '' }: Readonly<Record<string, string | undefined>>): boolean {
  const tiny = (size: string | undefined) => size !== undefined && /^\s*[01](?:\.0+)?(?:px)?\s*$/i.test(size);
  return (
    tiny(width) ||
    tiny(height) ||
    /(?:^|[;\s])(?:display\s*:\s*none|(?:max-)?(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$))/i.test(style)
  );
}

/** Allows `data:` for bitmaps only: SVG is a document and may contain scripts. */
function isPicture(src: string | undefined): boolean {
  if (src === undefined) return false;
  return !/^\s*data:/i.test(src) || /^\s*data:image\/(?:png|jpe?g|gif|webp|bmp);base64,/i.test(src);
}
