import { createHash } from 'node:crypto';
import { type Visitor } from '@domain/tracking';
import { type Request, type Response } from 'express';
import { domainToUnicode } from 'node:url';
import { languageOf, type Texts, textsIn } from './page-texts';

/** The smallest GIF there is: one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const STYLE = [
  ':root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}',
  'main{max-width:34rem;margin:12vh auto 0;padding:0 1.25rem;overflow-wrap:anywhere}',
  'h1{font-size:1.5rem;line-height:1.25}',
  'button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:2px solid;border-radius:.5rem;cursor:pointer}',
  'button:focus-visible{outline:3px solid Highlight;outline-offset:3px}',
].join('');

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
/** No scripts, nothing loaded, nowhere to send the form but here, in nobody's frame. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CHARACTERS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Who is concerned: an address, and the domain that wrote to it, or the name of who did. */
interface Names {
  email: string;
  sender: string;
}

export function getVisitor({ method, ip, headers }: Request): Visitor {
  return { method, address: ip, headers };
}

export function answerPixel(response: Response): void {
  // It is shown in mail programs of other origins; the API's own answers are not.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.status(200).setHeader('Content-Type', 'image/gif').end(PIXEL);
}

/** Sends the browser on, or says that there is nothing. */
export function answerClick(request: Request, response: Response, url: string | null): void {
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  if (url === null) return answerPage(request, response, 404, (texts) => [texts.notFoundTitle, paragraph(texts.notFound)]);
  response.status(302).setHeader('Location', url).end();
}

/** Nothing that could tell a machine what it has stepped into. */
export function answerHoneypot(request: Request, response: Response): void {
  answerPage(request, response, 200, () => ['\u2026', '']);
}

/** Shows that this host leads here. */
export function answerProof(response: Response, proof: string | null): void {
  response
    .status(proof === null ? 404 : 200)
    .type('text')
    .send(proof ?? '');
}

/** The question: pressing the button unsubscribes, looking at it does not. */
export function answerQuestion(request: Request, response: Response, names: Names | null): void {
  if (names === null) return answerUnknown(request, response);
  const button = (text: string) =>
    `<form method="post"><button name="by" value="page">${escaped(text)}</button></form>`;
  answerPage(request, response, 200, (texts) => [texts.title, paragraph(texts.question, names) + button(texts.button)]);
}

export function answerUnsubscribed(request: Request, response: Response, names: Names | null): void {
  if (names === null) return answerUnknown(request, response);
  answerPage(request, response, 200, (texts) => [texts.doneTitle, paragraph(texts.done, names, ' role="status"')]);
}

/** The database is away, say: nothing was changed, and the reader is asked to try again. */
export function answerLater(request: Request, response: Response, status: number): void {
  answerPage(request, response, status, (texts) => [texts.laterTitle, paragraph(texts.later)]);
}

function answerUnknown(request: Request, response: Response): void {
  answerPage(request, response, 404, (texts) => [texts.unknownTitle, paragraph(texts.unknown)]);
}

/** A page in the reader's language: a heading, and what is below it. */
function answerPage(
  request: Request,
  response: Response,
  status: number,
  make: (texts: Texts) => [title: string, body: string],
): void {
  const language = languageOf(request.get('accept-language'));
  const [title, body] = make(textsIn(language));
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
        `<title>${escaped(title)}</title><style>${STYLE}</style></head>` +
        `<body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`,
    );
}

/** `{email}` and `{sender}` in the text stand for the names. */
function paragraph(text: string, names?: Names, attributes = ''): string {
  const shown = names && { email: names.email, sender: readable(names.sender) };
  const filled = escaped(text).replace(/\{(email|sender)\}/g, (_all, name: keyof Names) =>
    shown ? `<strong>${escaped(shown[name])}</strong>` : '',
  );
  return `<p${attributes}>${filled}</p>`;
}

/** A domain in the letters of its owner. A name stays as it is: of `Tom/Jerry` only `tom` would be read as a domain. */
function readable(sender: string): string {
  return /^[\w.-]+$/.test(sender) ? domainToUnicode(sender) || sender : sender;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? '');
}
