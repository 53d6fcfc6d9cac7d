import { createHash } from 'node:crypto';
import { type Visitor } from '@domain/tracking';
import { type Request, type Response } from 'express';
import { domainToUnicode } from 'node:url';
import { selectLanguage, type Texts, getTexts } from './page-texts';

/** The smallest GIF: one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const STYLE = [
  ':root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}',
  'main{max-width:34rem;margin:12vh auto 0;padding:0 1.25rem;overflow-wrap:anywhere}',
  'h1{font-size:1.5rem;line-height:1.25}',
  'button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:2px solid;border-radius:.5rem;cursor:pointer}',
  'button:focus-visible{outline:3px solid Highlight;outline-offset:3px}',
].join('');

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
/** Forbids scripts, loaded resources, forms to other origins, and framing. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The recipient's address, and the sending domain or name. */
interface Names {
  email: string;
  sender: string;
}

export function getVisitor({ method, ip, headers }: Request): Visitor {
  return { method, address: ip, headers };
}

export function answerPixel(response: Response): void {
  // Mail programs of other origins show it.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.status(200).setHeader('Content-Type', 'image/gif').end(PIXEL);
}

/** Redirects to the target, or answers 404. */
export function answerClick(request: Request, response: Response, url: string | null): void {
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  if (url === null)
    return answerPage(request, response, 404, (texts) => [texts.deadLinkTitle, paragraph(texts.deadLink)]);
  response.status(302).setHeader('Location', url).end();
}

/** Shows an empty page, so that a machine does not notice the honeypot. */
export function answerHoneypot(request: Request, response: Response): void {
  answerPage(request, response, 200, () => ['\u2026', '']);
}

/** Proves that this host points to this installation. */
export function answerProof(response: Response, proof: string | null): void {
  response
    .status(proof === null ? 404 : 200)
    .type('text')
    .send(proof ?? '');
}

/** Asks for confirmation: only the button unsubscribes. */
export function answerQuestion(request: Request, response: Response, names: Names | null): void {
  if (names === null) return answerUnknown(request, response);
  const button = (text: string) =>
    `<form method="post"><button name="by" value="page">${escapeHtml(text)}</button></form>`;
  answerPage(request, response, 200, (texts) => [texts.title, paragraph(texts.question, names) + button(texts.button)]);
}

export function answerUnsubscribed(request: Request, response: Response, names: Names | null): void {
  if (names === null) return answerUnknown(request, response);
  answerPage(request, response, 200, (texts) => [texts.doneTitle, paragraph(texts.done, names, ' role="status"')]);
}

/** Asks the reader to try again later: nothing was changed. */
export function answerLater(request: Request, response: Response, status: number): void {
  answerPage(request, response, status, (texts) => [texts.laterTitle, paragraph(texts.later)]);
}

function answerUnknown(request: Request, response: Response): void {
  answerPage(request, response, 404, (texts) => [texts.unknownTitle, paragraph(texts.unknown)]);
}

/** Sends a page with heading and body in the reader's language. */
function answerPage(
  request: Request,
  response: Response,
  status: number,
  make: (texts: Texts) => [title: string, body: string],
): void {
  const language = selectLanguage(request.get('accept-language'));
  const [title, body] = make(getTexts(language));
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  response.setHeader('Content-Language', language);
  response.setHeader('Vary', 'Accept-Language');
  response
    .status(status)
    .type('html')
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
        `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
        `<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
    );
}

/** Fills `{email}` and `{sender}`. */
function paragraph(text: string, names?: Names, attributes = ''): string {
  const shown = names && { email: names.email, sender: toReadable(names.sender) };
  const filled = escapeHtml(text).replace(/\{(email|sender)\}/g, (_all, name: keyof Names) =>
    shown ? `<strong>${escapeHtml(shown[name])}</strong>` : '',
  );
  return `<p${attributes}>${filled}</p>`;
}

/** Shows a domain in Unicode; a name such as `Tom/Jerry` stays unchanged. */
function toReadable(sender: string): string {
  return /^[\w.-]+$/.test(sender) ? domainToUnicode(sender) || sender : sender;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? '');
}
