import { type PageAnswer, type PageQuestion, type WebPagesPort } from '../port/web-pages.port';

/** A web, and what its other side is made to do. */
export interface WebTestEnvironment {
  readonly pages: WebPagesPort;
  address(path: string): string;
  serves(path: string, page: { status?: number; headers?: Record<string, string>; body?: string }): void;
  /** Nothing is ever said there. */
  hangs(path: string): void;
  /** An unreachable address. */
  nowhere(): string;
  close(): Promise<void>;
}

/** What every way to pages promises: called once for each of them. */
export function describeWebPages(name: string, open: () => Promise<WebTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let world: WebTestEnvironment;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const fetch = (url: string, changes: Partial<PageQuestion> = {}): Promise<PageAnswer> =>
      world.pages.fetch({ url, timeoutMs: 10_000, maxBytes: 10_000, ...changes });

    it('gives what is there: status, headers, every byte', async () => {
      world.serves('/a', { headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' }, body: '<p>Grüße</p>' });
      expect(await fetch(world.address('/a'))).toMatchObject({
        kind: 'answered',
        url: world.address('/a'),
        status: 200,
        headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' },
        body: Buffer.from('<p>Grüße</p>'),
        isTruncated: false,
      });
    });

    it('an error of the server is an answer', async () => {
      world.serves('/gone', { status: 410 });
      expect(await fetch(world.address('/gone'))).toMatchObject({ kind: 'answered', status: 410 });
    });

    it('takes no more bytes than it may', async () => {
      world.serves('/long', { body: 'x'.repeat(101) });
      const answer = await fetch(world.address('/long'), { maxBytes: 100 });
      expect(answer).toMatchObject({ isTruncated: true, body: Buffer.from('x'.repeat(100)) });
      expect(await fetch(world.address('/long'), { maxBytes: 101 })).toMatchObject({ isTruncated: false });
    });

    it('leaves a redirect to the caller', async () => {
      world.serves('/old', { status: 301, headers: { location: '/new' } });
      const answer = await fetch(world.address('/old'));
      expect(answer).toMatchObject({ kind: 'answered', status: 301, headers: { location: '/new' } });
    });

    it('follows redirects where it may, and says where it came to', async () => {
      world.serves('/old', { status: 302, headers: { location: '/new' } });
      world.serves('/new', { body: 'there' });
      const answer = await fetch(world.address('/old'), { followRedirects: 5 });
      expect(answer).toMatchObject({ kind: 'answered', url: world.address('/new'), body: Buffer.from('there') });
    });

    it('gives up on redirects that do not end', async () => {
      world.serves('/round', { status: 302, headers: { location: '/round' } });
      const answer = await fetch(world.address('/round'), { followRedirects: 5 });
      expect(answer).toEqual({ kind: 'unanswered', reason: 'redirects' });
    });

    it('reports an unreachable address', async () => {
      expect(await fetch(world.nowhere())).toEqual({ kind: 'unanswered', reason: 'unreachable' });
    });

    it('says that it took too long', async () => {
      world.hangs('/hang');
      expect(await fetch(world.address('/hang'), { timeoutMs: 200 })).toEqual({
        kind: 'unanswered',
        reason: 'timeout',
      });
    });

    it('ends with the reason of the signal, at once when that was given before', async () => {
      world.hangs('/hang');
      const patience = new AbortController();
      const reason = new Error('enough');
      const asking = fetch(world.address('/hang'), { signal: patience.signal });
      patience.abort(reason);
      await expect(asking).rejects.toBe(reason);
      await expect(fetch(world.address('/hang'), { signal: patience.signal })).rejects.toBe(reason);
    });
  });
}
