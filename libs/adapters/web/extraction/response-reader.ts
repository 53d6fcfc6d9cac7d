import { type PageReason, type PageStatus } from '../crawl/crawled-page';
import { type PageAnswer } from '../port/web-pages.port';
import { decodeHtml } from './charset';
import { type PageReading, readPage, readText } from './page-reader';

export type AnswerReading = PageReading | { readonly status: Exclude<PageStatus, 'read'>; readonly reason: PageReason };

/** Maximum share of undecodable characters: careless editors cause a few. */
const MOST_BROKEN = 0.05;
const HTML = /^(text\/html|application\/xhtml\+xml)$/;

/** The content of a response without redirect, or the reason for no content. */
export function readPageAnswer(answer: PageAnswer): AnswerReading {
  if (answer.kind === 'unanswered') return toFailed(answer.reason);
  const { status, headers, body, isTruncated } = answer;
  if (status < 200 || status >= 300) return toFailed(getFailureReason(status));
  if (isTruncated) return toSkipped('too_large');
  if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return toSkipped('encoded');
  const contentType = headers['content-type'];
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'text/html';
  if (!HTML.test(type) && type !== 'text/plain') return toSkipped('not_text');
  const text = decodeHtml(body, contentType);
  if (isBinary(text)) return toSkipped('not_text');
  const reading = HTML.test(type) ? readPage(text) : readText(text);
  if (typeof reading === 'string') return toSkipped(reading);
  return reading.isNoindex || /\b(noindex|none)\b/i.test(headers['x-robots-tag'] ?? '')
    ? toSkipped('noindex')
    : reading;
}

/** Images and archives declared as pages. */
function isBinary(text: string): boolean {
  const broken = text.split('\uFFFD').length - 1;
  return text.includes('\0') || broken > text.length * MOST_BROKEN;
}

function getFailureReason(status: number): PageReason {
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429 || status === 503) return 'busy';
  if (status === 401 || status === 403 || status === 451) return 'forbidden';
  return status >= 500 ? 'server_error' : 'odd_answer';
}

function toFailed(reason: PageReason): AnswerReading {
  return { status: 'failed', reason };
}

function toSkipped(reason: PageReason): AnswerReading {
  return { status: 'skipped', reason };
}
