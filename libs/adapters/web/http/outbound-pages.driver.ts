import { OutboundError, type OutboundHttpClient, type OutboundReason } from '@platform/outbound';
import { type PageAnswer, type PageQuestion, type UnansweredReason, WebPagesPort } from '../port/web-pages.port';

const REASONS: Record<OutboundReason, UnansweredReason> = {
  address_refused: 'address_refused',
  invalid_url: 'address_refused',
  dns: 'dns',
  timeout: 'timeout',
  too_many_redirects: 'redirects',
  connect: 'unreachable',
  tls: 'unreachable',
  protocol: 'unreachable',
};

/** Pages over the guarded HTTP client, which checks every hop (docs/operators/security.md). */
export class OutboundPagesDriver extends WebPagesPort {
  /** @param userAgent that names the crawler and a contact URL */
  constructor(
    private readonly http: OutboundHttpClient,
    private readonly userAgent: string,
  ) {
    super();
  }

  override async fetch(question: PageQuestion): Promise<PageAnswer> {
    const { url, timeoutMs, maxBytes, followRedirects, signal } = question;
    try {
      const response = await this.http.request({
        url,
        method: 'GET',
        headers: { 'user-agent': this.userAgent, accept: 'text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1' },
        timeoutMs,
        maxResponseBytes: maxBytes,
        ...(followRedirects === undefined ? {} : { followRedirects }),
        ...(signal ? { signal } : {}),
      });
      const { status, headers, body, truncated } = response;
      return { kind: 'answered', url: response.url, status, headers, body, isTruncated: truncated };
    } catch (error) {
      if (error instanceof OutboundError) return { kind: 'unanswered', reason: REASONS[error.reason] };
      throw error;
    }
  }
}
