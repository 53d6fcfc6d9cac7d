import { type PageAnswer, type PageQuestion, type WebPagesPort } from '../port/web-pages.port';

/** A web driver and its scripted server. */
export interface WebTestEnvironment {
  readonly pages: WebPagesPort;
  address(path: string): string;
  serves(path: string, page: { status?: number; headers?: Record<string, string>; body?: string }): void;
  /** A URL that never responds. */
  hangs(path: string): void;
  /** An unreachable address. */
  nowhere(): string;
  close(): Promise<void>;
}

/** The conformance suite of all web drivers; each driver calls it once. */
export function describeWebPages(name: string, open: () => Promise<WebTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: WebTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    const fetch = (url: string, changes: Partial<PageQuestion> = {}): Promise<PageAnswer> =>
      environment.pages.fetch({ url, timeoutMs: 10_000, maxBytes: 10_000, ...changes });

    it('returns status, headers and every byte', async () => {
      environment.serves('/a', {
        headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' },
        body: '<p>Grüße</p>',
      });
      expect(await fetch(environment.address('/a'))).toMatchObject({
        kind: 'answered',
        url: environment.address('/a'),
        status: 200,
        headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' },
        body: Buffer.from('<p>Grüße</p>'),
        isTruncated: false,
      });
    });

    it('returns an error status as a response', async () => {
      environment.serves('/gone', { status: 410 });
      expect(await fetch(environment.address('/gone'))).toMatchObject({ kind: 'answered', status: 410 });
    });

    it('reads no more bytes than allowed', async () => {
      environment.serves('/long', { body: 'x'.repeat(101) });
      const answer = await fetch(environment.address('/long'), { maxBytes: 100 });
      expect(answer).toMatchObject({ isTruncated: true, body: Buffer.from('x'.repeat(100)) });
      expect(await fetch(environment.address('/long'), { maxBytes: 101 })).toMatchObject({ isTruncated: false });
    });

    it('leaves a redirect to the caller', async () => {
      environment.serves('/old', { status: 301, headers: { location: '/new' } });
      const answer = await fetch(environment.address('/old'));
      expect(answer).toMatchObject({ kind: 'answered', status: 301, headers: { location: '/new' } });
    });

    it('follows allowed redirects, and returns the final URL', async () => {
      environment.serves('/old', { status: 302, headers: { location: '/new' } });
      environment.serves('/new', { body: 'there' });
      const answer = await fetch(environment.address('/old'), { followRedirects: 5 });
      expect(answer).toMatchObject({ kind: 'answered', url: environment.address('/new'), body: Buffer.from('there') });
    });

    it('stops following endless redirects', async () => {
      environment.serves('/round', { status: 302, headers: { location: '/round' } });
      const answer = await fetch(environment.address('/round'), { followRedirects: 5 });
      expect(answer).toEqual({ kind: 'unanswered', reason: 'redirects' });
    });

    it('reports an unreachable address', async () => {
      expect(await fetch(environment.nowhere())).toEqual({ kind: 'unanswered', reason: 'unreachable' });
    });

    it('reports a timeout', async () => {
      environment.hangs('/hang');
      expect(await fetch(environment.address('/hang'), { timeoutMs: 200 })).toEqual({
        kind: 'unanswered',
        reason: 'timeout',
      });
    });

    it('ends with the reason of the signal, immediately when the signal is already aborted', async () => {
      environment.hangs('/hang');
      const patience = new AbortController();
      const reason = new Error('enough');
      const asking = fetch(environment.address('/hang'), { signal: patience.signal });
      patience.abort(reason);
      await expect(asking).rejects.toBe(reason);
      await expect(fetch(environment.address('/hang'), { signal: patience.signal })).rejects.toBe(reason);
    });
  });
}
