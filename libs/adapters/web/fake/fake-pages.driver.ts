import { type PageAnswer, type PageQuestion, type UnansweredReason, WebPagesPort } from '../port/web-pages.port';

/** A page of the fake; text is HTML unless the headers say otherwise. */
export interface ScriptedPage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const MOST_REDIRECTS = 5;

/** An in-memory web that records its requests. Unknown URLs return 404. */
export class FakePagesDriver extends WebPagesPort {
  readonly requests: string[] = [];
  /** Called with each request before its response. */
  onFetch: ((url: string) => void) | undefined;
  readonly #pages = new Map<string, ScriptedPage | UnansweredReason | 'silence'>();

  put(url: string, page: ScriptedPage | string): void {
    this.#pages.set(url, typeof page === 'string' ? { body: page } : page);
  }

  /** The URL never responds. */
  fail(url: string, how: UnansweredReason | 'silence'): void {
    this.#pages.set(url, how);
  }

  override async fetch(question: PageQuestion): Promise<PageAnswer> {
    let { url } = question;
    for (let followed = 0; ; followed += 1) {
      question.signal?.throwIfAborted();
      this.requests.push(url);
      this.onFetch?.(url);
      const page = this.#pages.get(url) ?? { status: 404 };
      if (page === 'silence') return silent(question);
      if (typeof page === 'string') return { kind: 'unanswered', reason: page };
      const { status = 200, headers = {}, body = '' } = page;
      const location = headers['location'];
      const isFollowed = (question.followRedirects ?? 0) > 0 && status >= 300 && status < 400 && location !== undefined;
      if (!isFollowed) return answered({ url, status, headers, body: Buffer.from(body) }, question.maxBytes);
      if (followed >= Math.min(question.followRedirects ?? 0, MOST_REDIRECTS)) {
        return { kind: 'unanswered', reason: 'redirects' };
      }
      url = new URL(location, url).href;
    }
  }
}

type FetchedPage = { url: string; status: number; headers: Readonly<Record<string, string>>; body: Buffer };

function answered({ url, status, headers, body }: FetchedPage, maxBytes: number): PageAnswer {
  return {
    kind: 'answered',
    url,
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: body.subarray(0, maxBytes),
    isTruncated: body.length > maxBytes,
  };
}

/** The timeout of the request passes at once; a request that its signal aborts waits for the signal. */
function silent({ signal }: PageQuestion): Promise<PageAnswer> {
  if (!signal) return Promise.resolve({ kind: 'unanswered', reason: 'timeout' });
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
